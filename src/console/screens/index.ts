// Every page's screen, loaded when someone goes there. A feature without a line here does not compile.
import type { ComponentType } from 'react';
import type { FeatureId } from '../../features/table.ts';

export type Load = () => Promise<{ readonly default: ComponentType }>;

const consoleScreen: Load = () => import('./console/Screen.tsx');
const credentials: Load = () => import('./credentials/Screen.tsx');
const messages: Load = () => import('./messages/Screen.tsx');
const account: Load = () => import('./account/Screen.tsx');
const nodes: Load = () => import('./nodes/Screen.tsx');

export const loads = {
  nodes,
  apps: () => import('./apps/Screen.tsx'),
  kubes: () => import('./kubes/Screen.tsx'),
  databases: () => import('./databases/Screen.tsx'),
  desktops: () => import('./desktops/Screen.tsx'),
  activeSessions: () => import('./activeSessions/Screen.tsx'),
  users: () => import('./users/Screen.tsx'),
  roles: () => import('./roles/Screen.tsx'),
  recordings: () => import('./recordings/Screen.tsx'),
  audit: () => import('./audit/Screen.tsx'),
  clusters: () => import('./clusters/Screen.tsx'),
  account,
  accountPassword: account,
  support: () => import('./support/Screen.tsx'),
  console: consoleScreen,
  consoleNodes: nodes,
  consoleConnect: consoleScreen,
  consoleSession: consoleScreen,
  player: () => import('./player/Screen.tsx'),
  login: () => import('./login/Screen.tsx'),
  invite: credentials,
  inviteContinue: credentials,
  reset: credentials,
  resetContinue: credentials,
  loginSuccess: messages,
  loginTerminal: messages,
  loginClose: messages,
  loginFailedLegacy: messages,
  loginFailed: messages,
  loginFailedCallback: messages,
  loginFailedAuth: messages,
  // Routes that lead on to another page have no screen of their own.
} satisfies Record<Exclude<FeatureId, 'root' | 'cluster' | 'settings'>, Load>;
