/** Whether this process takes work. Load balancers ask `/readyz` and send it elsewhere before anything is refused. */
export type Lifecycle = ReturnType<typeof createLifecycle>

export const createLifecycle = () => {
  let draining = false
  return {
    drain() {
      draining = true
    },
    isDraining: () => draining,
  }
}
