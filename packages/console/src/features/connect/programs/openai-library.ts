import type { Facts, Program } from './program.ts'
import { go, json, sh } from './quote.ts'

export const openAiLibrary: Program = {
  id: 'openai',
  name: 'OpenAI SDK',
  group: 'libraries',
  protocol: 'chat',
  prefers: [/^gpt-\d/i, /^(o\d|gpt)/i],
  docs: 'https://platform.openai.com/docs/api-reference/chat',
  variants: [
    { name: 'curl', parts: (facts) => [{ task: 'call', language: 'sh', code: curl(facts) }] },
    {
      name: 'python',
      parts: (facts) => [
        { task: 'install', language: 'sh', code: 'pip install openai' },
        { task: 'call', language: 'python', code: python(facts) },
      ],
    },
    {
      name: 'javascript',
      parts: (facts) => [
        { task: 'install', language: 'sh', code: 'npm install openai' },
        { task: 'call', language: 'javascript', code: javascript(facts) },
      ],
    },
    {
      name: 'go',
      parts: (facts) => [
        { task: 'install', language: 'sh', code: 'go get github.com/openai/openai-go/v3' },
        { task: 'call', language: 'go', code: golang(facts) },
      ],
    },
  ],
}

const curl = ({ address, key, model }: Facts) => `curl ${sh(`${address}/v1/chat/completions`)} \\
  -H ${sh(`Authorization: Bearer ${key}`)} \\
  -H 'Content-Type: application/json' \\
  -d ${sh(`{"model": ${json(model)}, "messages": [{"role": "user", "content": "Hello"}]}`)}`

const python = ({ address, key, model }: Facts) => `from openai import OpenAI

client = OpenAI(
    base_url=${json(`${address}/v1`)},
    api_key=${json(key)},
)

reply = client.chat.completions.create(
    model=${json(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(reply.choices[0].message.content)`

const javascript = ({ address, key, model }: Facts) => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: ${json(`${address}/v1`)},
  apiKey: ${json(key)},
})

const reply = await client.chat.completions.create({
  model: ${json(model)},
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(reply.choices[0].message.content)`

const golang = ({ address, key, model }: Facts) => `package main

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

func main() {
	client := openai.NewClient(
		option.WithBaseURL(${go(`${address}/v1`)}),
		option.WithAPIKey(${go(key)}),
	)
	reply, err := client.Chat.Completions.New(context.Background(), openai.ChatCompletionNewParams{
		Model: ${go(model)},
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.UserMessage("Hello"),
		},
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(reply.Choices[0].Message.Content)
}`
