/** What a sealed body is bound to: copied to another call, or taken for the other body of its own, it does not open. */
export const requestPlace = (requestId: string) => `recording:${requestId}:request`
export const responsePlace = (requestId: string) => `recording:${requestId}:response`
