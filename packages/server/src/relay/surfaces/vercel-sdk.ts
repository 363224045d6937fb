/** The Vercel AI SDK: `ai/6.0 ai-sdk/openai/3.0` or, since its seventh major version, `ai-sdk-openai/4.0`, also behind a program's name. */
export const isVercelSdk = (program: string) => /(?:^| )ai(?:-sdk[\w-]*)?\//.test(program)
