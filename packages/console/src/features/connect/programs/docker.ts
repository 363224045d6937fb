import type { Code } from './program.ts'
import { sh } from './quote.ts'

interface Container {
  name: string
  image: string
  /** Host to container, as `-p` takes it. */
  port: string
  volume?: string
  /** The address that the container calls. */
  address: string
  environment: Record<string, string>
}

/** A container that reaches the gateway, even one on the same machine. */
export const dockerRun = ({ name, image, port, volume, address, environment }: Container): Code => ({
  task: 'run',
  language: 'sh',
  code: [
    `docker run -d --name ${name} -p ${port}`,
    ...(isHere(address) ? ['--add-host host.docker.internal:host-gateway'] : []),
    ...(volume === undefined ? [] : [`-v ${volume}`]),
    ...Object.entries(environment).map(([variable, value]) => `-e ${variable}=${sh(value)}`),
    image,
  ].join(' \\\n  '),
})

/** The address as seen from a container, where `localhost` is the container itself. */
export const fromDocker = (address: string) => address.replace(HERE, '$1host.docker.internal')

const HERE = /^(https?:\/\/)(localhost|127(\.\d+){3}|\[::1\])(?=[:/]|$)/i
const isHere = (address: string) => HERE.test(address)
