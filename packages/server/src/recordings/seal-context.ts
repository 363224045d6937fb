/** The context of an encrypted body: copied to another call, or swapped with the call's other body, it cannot be decrypted. */
export const requestSealContext = (requestId: string) => `recording:${requestId}:request`
export const responseSealContext = (requestId: string) => `recording:${requestId}:response`
