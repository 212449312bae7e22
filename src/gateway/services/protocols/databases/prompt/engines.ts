// The prompts that there are, by the protocol of the database; each is loaded when it is first used.
import type { PromptEngine } from './engine.ts';

export const promptEngines: Readonly<Record<string, () => Promise<PromptEngine>>> = {
  postgres: async () => (await import('./postgresql.ts')).postgresql,
  mysql: async () => (await import('./mysql.ts')).mysql,
  redis: async () => (await import('./redis.ts')).redis,
};
