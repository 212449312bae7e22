// Agents in words: the console and the command line say them alike.
import type { Agent } from '../contract/agents.ts';
import { untilText } from './times.ts';

/** What it was given of its person's rights: "role access", "server env=dev as app". */
export function agentRights({ roles, kinds, labels, logins, asks }: Agent): string {
  const selected = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return [
    `${roles.length > 1 ? 'roles' : 'role'} ${roles.join(', ')}`,
    ...(kinds.length < 5 ? [`only ${kinds.join(', ')}`] : []),
    ...(selected.length > 0 ? [`with ${selected.join(' ')}`] : []),
    ...(logins.length > 0 ? [`as ${logins.join(', ')}`] : []),
    ...(asks ? ['asks first'] : []),
  ].join('; ');
}

/** How it stands, and for how long. */
export function agentState({ state, until }: Pick<Agent, 'state' | 'until'>, now: Date): string {
  if (state === 'active') return `Active, ${untilText(until, now)} left`;
  return { stopped: 'Stopped', ended: 'Its time is up', spent: 'Its calls are used up' }[state];
}

/** Those that can work come first. */
export const agentRank = ({ state }: Pick<Agent, 'state'>): number =>
  ({ active: 0, spent: 1, ended: 2, stopped: 3 })[state];
