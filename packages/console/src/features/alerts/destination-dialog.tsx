import { Select, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  ALERT_METHOD_NAMES,
  ALERT_METHODS,
  type AlertDestination,
  type AlertMethod,
  AlertMethodName,
  type AlertOwner,
  Role,
} from '@tollgate/contract'
import { chosenLocale } from '../../lib/format/locale.ts'
import { readersZone } from '../../lib/format/zone.ts'
import { changedMembers } from '../../lib/forms/changed-members.ts'
import { useSessionUser } from '../../lib/session/session-user.ts'
import { alertsText } from '../../text/alerts.ts'
import { useText } from '../../text/text.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { SecretInput } from '../../ui/inputs/secret-input.tsx'
import { DialogForm } from './dialog-form.tsx'
import { useCreateDestination, useUpdateDestination } from './queries.ts'

interface DestinationDialogProps {
  owner: AlertOwner
  /** Absent for a new one. */
  destination?: AlertDestination | undefined
  onClose: () => void
}

const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

export function DestinationDialog({ owner, destination, onClose }: DestinationDialogProps) {
  const text = useText(alertsText)
  const role = useSessionUser()?.role ?? 0
  const create = useCreateDestination()
  const update = useUpdateDestination()
  const form = useForm({ initialValues: valuesOf(destination) })
  const { way, zone, address } = form.values
  const facts = ALERT_METHODS[way]
  const isOwnMail = way === 'email' && owner === 'own'
  const done = {
    onSuccess: () => {
      toast.success(text.destinationSaved)
      onClose()
    },
  }

  const save = ({ way: chosen, ...fields }: typeof form.values) => {
    if (destination === undefined) create.mutate({ owner, way: chosen, ...fields }, done)
    else update.mutate({ id: destination.id, ...changedMembers<typeof fields>(form.getInitialValues(), fields) }, done)
  }

  return (
    <DialogForm
      title={destination === undefined ? text.addDestination : text.editDestination}
      form={form}
      onSave={save}
      onClose={onClose}
      saving={create.isPending || update.isPending}
    >
      <Select
        label={text.way}
        description={text.wayHelp[way]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={ALERT_METHOD_NAMES.map((value) => ({ value, label: text.ways[value] }))}
        allowDeselect={false}
        disabled={destination !== undefined}
        value={way}
        onChange={(value) => form.setValues({ way: AlertMethodName.catch(way).parse(value), address: '', secret: '' })}
      />
      <TextInput label={text.name} withAsterisk maxLength={50} {...form.getInputProps('name')} data-path="name" />
      {isOwnMail ? (
        <Text size="sm" c="dimmed">
          {text.ownMail}
        </Text>
      ) : (
        <TextInput
          label={text.addresses[facts.address]}
          withAsterisk={destination === undefined}
          placeholder={destination && text.addressKept(destination.address_hint)}
          autoComplete="off"
          {...form.getInputProps('address')}
          data-path="address"
        />
      )}
      {facts.secret !== 'none' && (
        <SecretInput
          label={secretLabel(way, text)}
          withAsterisk={facts.secret === 'required' && destination === undefined}
          isSet={destination?.has_secret === true && address === ''}
          {...(destination?.has_secret === true && { description: text.secretAgain })}
          {...form.getInputProps('secret')}
          data-path="secret"
        />
      )}
      <Select
        label={text.language}
        data={[
          { value: 'zh', label: text.languages.zh },
          { value: 'en', label: text.languages.en },
        ]}
        allowDeselect={false}
        value={form.values.language}
        onChange={(value) => form.setFieldValue('language', value === 'en' ? 'en' : 'zh')}
      />
      <Select
        label={text.zone}
        data={ZONES.includes(zone) ? ZONES : [zone, ...ZONES]}
        searchable
        allowDeselect={false}
        limit={100}
        {...form.getInputProps('zone')}
      />
      {facts.address === 'url' && (role >= Role.root || destination?.private_allowed === true) && (
        <Switch
          label={text.private}
          description={text.privateHelp}
          {...form.getInputProps('private_allowed', { type: 'checkbox' })}
        />
      )}
    </DialogForm>
  )
}

interface Values {
  way: AlertMethod
  name: string
  address: string
  secret: string
  language: 'zh' | 'en'
  zone: string
  private_allowed: boolean
}

/** Address and secret are write-only: an empty field keeps them. */
function valuesOf(destination: AlertDestination | undefined): Values {
  if (destination === undefined) {
    const language = chosenLocale().startsWith('en') ? 'en' : 'zh'
    return {
      ...{ way: 'email', name: '', address: '', secret: '', private_allowed: false },
      ...{ language, zone: readersZone() },
    }
  }
  const { way, name, language, zone, private_allowed } = destination
  return { way, name, address: '', secret: '', language, zone, private_allowed }
}

function secretLabel(way: AlertMethod, text: { secret: string; botToken: string; secretOptional: string }) {
  if (way === 'telegram') return text.botToken
  return ALERT_METHODS[way].secret === 'optional' ? text.secretOptional : text.secret
}
