// The screens of people who are signed in, each loaded when someone goes there. A feature without a line here or in public.ts does not compile.
import type { FeatureId, PublicId } from '../../features/table.ts';
import type { LoadScreen } from './load-screen.ts';
import Nodes from './nodes/Screen.tsx';

// Where nearly everyone arrives: nobody waits for it.
const nodes: LoadScreen = async () => ({ default: Nodes });
const consoleScreen: LoadScreen = () => import('./console/Screen.tsx');
const account: LoadScreen = () => import('./account/Screen.tsx');

/** By feature; routes that lead on to another page have no screen of their own. */
export const screens = {
  nodes,
  assist: () => import('./assist/Screen.tsx'),
  apps: () => import('./apps/Screen.tsx'),
  kubes: () => import('./kubes/Screen.tsx'),
  pods: () => import('./kubes/Pods.tsx'),
  pod: () => import('./kubes/Pod.tsx'),
  databases: () => import('./databases/Screen.tsx'),
  desktops: () => import('./desktops/Screen.tsx'),
  desktop: () => import('./desktop/Screen.tsx'),
  watchDesktop: () => import('./watchDesktop/Screen.tsx'),
  activeSessions: () => import('./activeSessions/Screen.tsx'),
  accessRequests: () => import('./accessRequests/Screen.tsx'),
  newRequest: () => import('./newRequest/Screen.tsx'),
  users: () => import('./users/Screen.tsx'),
  rights: () => import('./rights/Screen.tsx'),
  runs: () => import('./runs/Screen.tsx'),
  files: () => import('./files/Screen.tsx'),
  snippets: () => import('./snippets/Screen.tsx'),
  why: () => import('./why/Screen.tsx'),
  roles: () => import('./roles/Screen.tsx'),
  authConnectors: () => import('./authConnectors/Screen.tsx'),
  loginRules: () => import('./loginRules/Screen.tsx'),
  reviews: () => import('./reviews/Screen.tsx'),
  accessLists: () => import('./accessLists/Screen.tsx'),
  discover: () => import('./discover/Screen.tsx'),
  integrations: () => import('./integrations/Screen.tsx'),
  enrollIntegration: () => import('./integrations/Enroll.tsx'),
  locks: () => import('./locks/Screen.tsx'),
  newLock: () => import('./newLock/Screen.tsx'),
  agents: () => import('./agents/Screen.tsx'),
  trustedDevices: () => import('./trustedDevices/Screen.tsx'),
  bots: () => import('./bots/Screen.tsx'),
  tokens: () => import('./tokens/Screen.tsx'),
  recordings: () => import('./recordings/Screen.tsx'),
  audit: () => import('./audit/Screen.tsx'),
  trust: () => import('./trust/Screen.tsx'),
  clusters: () => import('./clusters/Screen.tsx'),
  account,
  accountPassword: account,
  accountDevices: account,
  support: () => import('./support/Screen.tsx'),
  billing: () => import('./billing/Screen.tsx'),
  payments: () => import('./payments/Screen.tsx'),
  invoiceSettings: () => import('./invoiceSettings/Screen.tsx'),
  downloads: () => import('./downloads/Screen.tsx'),
  manual: () => import('./manual/Screen.tsx'),
  console: consoleScreen,
  consoleNodes: nodes,
  consoleConnect: consoleScreen,
  consoleSession: consoleScreen,
  headless: () => import('./headless/Screen.tsx'),
  launch: () => import('./launch/Screen.tsx'),
  player: () => import('./player/Screen.tsx'),
  compareRecordings: () => import('./compareRecordings/Screen.tsx'),
} satisfies Record<Exclude<FeatureId, PublicId | 'root' | 'cluster' | 'settings'>, LoadScreen>;
