// A verb for the gateway's own machine, before it is known which gateway is meant.
import type { Surface, Typed, Usage } from '../verb.ts';
import type { Gateway } from './gateway.ts';

export interface MachineVerb extends Usage {
  /** Throws UsageError, Refused, or Failure as the gateway answered it. */
  readonly run: (typed: Typed, gateway: Gateway, surface: Surface) => Promise<void>;
}
