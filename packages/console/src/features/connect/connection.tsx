import { getRouteApi } from '@tanstack/react-router'
import { stripTrailingSlash, type Token } from '@tollgate/contract'
import { useStatus } from '../../api/status.ts'
import { fullKey } from '../../lib/session/full-key.ts'
import { connectText } from '../../text/connect.ts'
import { useText } from '../../text/text.ts'
import classes from './connection.module.css'
import { keyModels } from './key-models.ts'
import { KeySelect } from './key-select.tsx'
import { KeyWarnings } from './key-warnings.tsx'
import { ModelSelect } from './model-select.tsx'
import { bestModel, chatModels } from './models.ts'
import { NoModels } from './no-models.tsx'
import { ProgramChoice } from './program-choice.tsx'
import { programNamed } from './programs/programs.ts'
import { SettingsPanel } from './settings-panel.tsx'
import { TestPanel } from './test-panel.tsx'

const route = getRouteApi('/connect')

/** Key, program and model, and the resulting settings. */
export function Connection({ token, offered }: { token: Token; offered: readonly string[] }) {
  const text = useText(connectText)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { server_address, system_name } = useStatus()
  const program = programNamed(search.app)
  const models = chatModels(keyModels(token, offered))
  const chosen = models.find((model) => model === search.model)
  const model = chosen ?? bestModel(models, program.prefers) ?? models[0]

  const choose = (change: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true, resetScroll: false })

  return (
    <div className={classes.page}>
      <p className={classes.summary}>{text.summary}</p>
      <div className={classes.choices}>
        <KeySelect token={token} onChoose={(id) => choose({ token: id, model: undefined })} />
        <ModelSelect models={models} model={model} onChoose={(next) => choose({ model: next })} />
      </div>
      <KeyWarnings token={token} />
      {model === undefined ? (
        <NoModels token={token} nothingOffered={offered.length === 0} />
      ) : (
        <div className={classes.layout}>
          <ProgramChoice program={program} onChoose={(id) => choose({ app: id })} />
          <div className={classes.main}>
            <SettingsPanel
              program={program}
              token={token}
              facts={{
                address: stripTrailingSlash(server_address) || window.location.origin,
                key: fullKey(token.key),
                model,
                models,
                site: system_name,
              }}
            />
            <TestPanel
              key={`${token.id} ${program.protocol} ${model}`}
              token={token}
              protocol={program.protocol}
              model={model}
            />
          </div>
        </div>
      )}
    </div>
  )
}
