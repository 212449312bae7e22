// The agent that works in a person's place, as events name it.
import type { Who } from '../../ports/who.ts';

/** Fields of the agent that works in the person's place; none: the person does it. */
export const agentFields = ({ agent }: Pick<Who, 'agent'>): Readonly<Record<string, string>> =>
  agent ? { agent: agent.name, agent_id: agent.id, agent_reason: agent.reason } : {};
