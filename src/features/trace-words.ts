// What the steps of a trial are called, wherever they are shown.
import type { Trace } from '../contract/diagnostics.ts';

export const traceTitles: Readonly<Record<Trace['traceType'], string>> = {
  RBAC_NODE: 'Roles select it',
  RBAC_PRINCIPAL: 'Roles name the login',
  NODE_PRINCIPAL: 'Log-in',
  RBAC_DATABASE: 'Roles select it',
  RBAC_DATABASE_LOGIN: 'Roles name user and database',
  CONNECTIVITY: 'Reached, certificate believed',
  DATABASE_DB_USER: 'Log-in',
  DATABASE_DB_NAME: 'The database is there',
  RBAC_KUBE: 'Rights in the cluster',
  KUBE_PRINCIPAL: 'Acting for you',
  RBAC_APP: 'Roles select it',
  APP_HOST: 'Name for browsers',
  APP_ANSWER: 'Answer',
  RBAC_DESKTOP: 'Roles select it',
  RBAC_DESKTOP_LOGIN: 'Roles name a login',
  DESKTOP_ANSWER: 'What answers',
  UNKNOWN_ERROR: 'Trial',
};
