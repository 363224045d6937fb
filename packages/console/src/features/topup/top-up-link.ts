interface Payer {
  id: number
  username: string
}

/** The operator's payment page with payer and transaction id, so that it can report the payment. */
export function topUpAddress(link: string, payer: Payer, transactionId: string) {
  const url = new URL(link)
  url.searchParams.set('username', payer.username)
  url.searchParams.set('user_id', String(payer.id))
  url.searchParams.set('transaction_id', transactionId)
  return url.href
}
