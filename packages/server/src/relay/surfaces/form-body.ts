import { bodyFailure } from '../../common/body-failure.ts'
import { boundedBody } from '../../common/bounded-body.ts'
import { GatewayError } from '../../common/errors.ts'

/** The multipart form of a request, within the size limit. */
export const formOf = (request: Request): Promise<FormData> =>
  boundedBody(request)
    .formData()
    .catch((error) => {
      const failure = bodyFailure(error)
      throw failure instanceof GatewayError
        ? failure
        : new GatewayError('relay.bad_body', { reason: 'multipart/form-data' })
    })
