interface SampleNeeds {
  key: string
  address: string
  model: string
}

/** A first call, ready to paste. */
export const codeSamples = ({ key, address, model }: SampleNeeds) => [
  {
    name: 'curl',
    code: `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{ "role": "user", "content": "Hello" }]
  }'`,
  },
  {
    name: 'Python',
    code: `from openai import OpenAI

client = OpenAI(
    api_key="${key}",
    base_url="${address}/v1",
)

reply = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(reply.choices[0].message.content)`,
  },
  {
    name: 'Node',
    code: `import OpenAI from 'openai'

const client = new OpenAI({
  apiKey: '${key}',
  baseURL: '${address}/v1',
})

const reply = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(reply.choices[0].message.content)`,
  },
]
