import { type Fields, fieldsOf, isFields, listOf } from '../json.ts'
import { type Signer, signedBy } from '../signature.ts'

/**
 * Marks, in place, the reasoning in a response or stream event of a vendor that supports Responses like OpenAI: otherwise its
 * origin would be unknown when the conversation moves to another vendor.
 */
export const markReasoning = (signer: Signer) => (body: Fields) => {
  const items = [body.item, ...listOf(body.output), ...listOf(fieldsOf(body.response).output)]
  for (const item of items) {
    if (!isFields(item) || item.type !== 'reasoning' || typeof item.encrypted_content !== 'string') continue
    if (item.encrypted_content !== '') item.encrypted_content = signedBy(signer, item.encrypted_content)
  }
}
