import type { Facts, Program } from './program.ts'
import { go, json, sh } from './quote.ts'

export const anthropicLibrary: Program = {
  id: 'anthropic',
  name: 'Anthropic SDK',
  group: 'libraries',
  protocol: 'messages',
  prefers: [/claude.*sonnet/i, /claude/i],
  docs: 'https://docs.claude.com/en/api/client-sdks',
  variants: [
    { name: 'curl', parts: (facts) => [{ task: 'call', language: 'sh', code: curl(facts) }] },
    {
      name: 'python',
      parts: (facts) => [
        { task: 'install', language: 'sh', code: 'pip install anthropic' },
        { task: 'call', language: 'python', code: python(facts) },
      ],
    },
    {
      name: 'javascript',
      parts: (facts) => [
        { task: 'install', language: 'sh', code: 'npm install @anthropic-ai/sdk' },
        { task: 'call', language: 'javascript', code: javascript(facts) },
      ],
    },
    {
      name: 'go',
      parts: (facts) => [
        { task: 'install', language: 'sh', code: 'go get github.com/anthropics/anthropic-sdk-go' },
        { task: 'call', language: 'go', code: golang(facts) },
      ],
    },
  ],
}

const curl = ({ address, key, model }: Facts) => `curl ${sh(`${address}/v1/messages`)} \\
  -H ${sh(`x-api-key: ${key}`)} \\
  -H 'anthropic-version: 2023-06-01' \\
  -H 'Content-Type: application/json' \\
  -d ${sh(`{"model": ${json(model)}, "max_tokens": 1024, "messages": [{"role": "user", "content": "Hello"}]}`)}`

const python = ({ address, key, model }: Facts) => `from anthropic import Anthropic

client = Anthropic(
    base_url=${json(address)},
    api_key=${json(key)},
)

message = client.messages.create(
    model=${json(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
for block in message.content:
    if block.type == "text":
        print(block.text)`

const javascript = ({ address, key, model }: Facts) => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: ${json(address)},
  apiKey: ${json(key)},
})

const message = await client.messages.create({
  model: ${json(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})
for (const block of message.content) {
  if (block.type === 'text') console.log(block.text)
}`

const golang = ({ address, key, model }: Facts) => `package main

import (
	"context"
	"fmt"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

func main() {
	client := anthropic.NewClient(
		option.WithBaseURL(${go(address)}),
		option.WithAPIKey(${go(key)}),
	)
	message, err := client.Messages.New(context.Background(), anthropic.MessageNewParams{
		Model:     ${go(model)},
		MaxTokens: 1024,
		Messages: []anthropic.MessageParam{
			anthropic.NewUserMessage(anthropic.NewTextBlock("Hello")),
		},
	})
	if err != nil {
		panic(err)
	}
	for _, block := range message.Content {
		fmt.Println(block.Text)
	}
}`
