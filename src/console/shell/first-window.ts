// What first.ts leaves on the page for the console.
import type { WebConfig } from '../../contract/config.ts';
import type { Early } from './early.ts';
import type { PageKeys } from './page-keys.ts';

export interface FirstWindow extends Window {
  /** From /web/config.js. */
  readonly POSTERN_CONFIG?: Partial<WebConfig>;
  posternEarly?: Early;
  posternKeys?: PageKeys;
}
/** Attribute of a form that was sent before the console was there to send it. */
export const SENT = 'data-sent';
