import { generatePath } from '../protocols.ts'
import type { Facts, Program } from './program.ts'
import { go, json, sh } from './quote.ts'

export const googleLibrary: Program = {
  id: 'google',
  name: 'Google GenAI SDK',
  group: 'libraries',
  protocol: 'generate',
  prefers: [/gemini.*flash/i, /gemini/i],
  docs: 'https://ai.google.dev/gemini-api/docs/libraries',
  variants: [
    { name: 'curl', parts: (facts) => [{ task: 'call', language: 'sh', code: curl(facts) }] },
    {
      name: 'python',
      parts: (facts) => [
        { task: 'install', language: 'sh', code: 'pip install google-genai' },
        { task: 'call', language: 'python', code: python(facts) },
      ],
    },
    {
      name: 'javascript',
      parts: (facts) => [
        { task: 'install', language: 'sh', code: 'npm install @google/genai' },
        { task: 'call', language: 'javascript', code: javascript(facts) },
      ],
    },
    {
      name: 'go',
      parts: (facts) => [
        { task: 'install', language: 'sh', code: 'go get google.golang.org/genai' },
        { task: 'call', language: 'go', code: golang(facts) },
      ],
    },
  ],
}

const curl = ({ address, key, model }: Facts) => `curl ${sh(address + generatePath(model))} \\
  -H ${sh(`x-goog-api-key: ${key}`)} \\
  -H 'Content-Type: application/json' \\
  -d '{"contents": [{"parts": [{"text": "Hello"}]}]}'`

const python = ({ address, key, model }: Facts) => `from google import genai

client = genai.Client(
    api_key=${json(key)},
    http_options={"base_url": ${json(address)}},
)

response = client.models.generate_content(
    model=${json(model)},
    contents="Hello",
)
print(response.text)`

const javascript = ({ address, key, model }: Facts) => `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({
  apiKey: ${json(key)},
  httpOptions: { baseUrl: ${json(address)} },
})

const response = await client.models.generateContent({
  model: ${json(model)},
  contents: 'Hello',
})
console.log(response.text)`

const golang = ({ address, key, model }: Facts) => `package main

import (
	"context"
	"fmt"

	"google.golang.org/genai"
)

func main() {
	ctx := context.Background()
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey:      ${go(key)},
		Backend:     genai.BackendGeminiAPI,
		HTTPOptions: genai.HTTPOptions{BaseURL: ${go(address)}},
	})
	if err != nil {
		panic(err)
	}
	response, err := client.Models.GenerateContent(ctx, ${go(model)}, genai.Text("Hello"), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(response.Text())
}`
