import { canStartThread } from '../../common/spare-files.ts'
import type { Report } from './report.ts'

/** Audits in a separate thread: an embedded database would block every stream of this one for seconds. */
export const auditInWorker = (location: string, nowSec: number) =>
  new Promise<Report>((resolve, reject) => {
    if (!canStartThread()) throw new Error('The audit failed: too few file descriptors are left for its thread')
    // Without an extension, because it is `.ts` here and `.js` in the build.
    const worker = new Worker(new URL('./audit-worker', import.meta.url).href)
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      worker.terminate()
      resolve(data)
    }
    worker.onerror = ({ message }) => {
      worker.terminate()
      reject(new Error(`The audit failed: ${message}`))
    }
    // After a message this is ignored; without one the job would never end.
    worker.addEventListener('close', () => reject(new Error('The audit ended without a report')))
    worker.postMessage({ location, nowSec })
  })
