import { type Fields, fieldsOf, isFields, listOf } from '../json.ts'
import { type Signer, signedBy } from '../signature.ts'

/**
 * Marks the reasoning of a vendor that has Responses as OpenAI has them, in an answer or one event of it: else nobody
 * could tell, when the conversation goes on elsewhere, whose it is. It changes what it is given.
 */
export const markReasoning = (signer: Signer) => (body: Fields) => {
  const items = [body.item, ...listOf(body.output), ...listOf(fieldsOf(body.response).output)]
  for (const item of items) {
    if (!isFields(item) || item.type !== 'reasoning' || typeof item.encrypted_content !== 'string') continue
    if (item.encrypted_content !== '') item.encrypted_content = signedBy(signer, item.encrypted_content)
  }
}
