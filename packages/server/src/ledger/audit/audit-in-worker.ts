import type { Report } from './report.ts'

/** Audits in a thread of its own: an embedded database would hold up every stream of this one for seconds. */
export const auditInWorker = (location: string, nowSec: number) =>
  new Promise<Report>((resolve, reject) => {
    // Without an ending, because it is a `.ts` beside this file and a `.js` in the build.
    const worker = new Worker(new URL('./audit-worker', import.meta.url).href)
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      worker.terminate()
      resolve(data)
    }
    worker.onerror = ({ message }) => {
      worker.terminate()
      reject(new Error(`The audit failed: ${message}`))
    }
    // After a message nobody waits any more; without one the job would never end.
    worker.addEventListener('close', () => reject(new Error('The audit ended without a report')))
    worker.postMessage({ location, nowSec })
  })
