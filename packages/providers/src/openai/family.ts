/** OpenAI's models by generation and kind. */
export const FAMILY = /(?:^|\/)(?:o\d|codex|gpt-(\d+(?:\.\d+)?)(?:-(chat|codex|pro))?)/
