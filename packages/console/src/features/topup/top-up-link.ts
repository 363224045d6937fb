interface Payer {
  id: number
  username: string
}

/** The operator's payment page, told who pays and under which number, so that it can report the payment back. */
export function topUpAddress(link: string, payer: Payer, transactionId: string) {
  const url = new URL(link)
  url.searchParams.set('username', payer.username)
  url.searchParams.set('user_id', String(payer.id))
  url.searchParams.set('transaction_id', transactionId)
  return url.href
}
