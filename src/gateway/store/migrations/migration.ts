// One numbered step of the schema.
import type { Engine } from '../engine.ts';

export interface Migration {
  /** 1, 2, 3… without gaps. */
  readonly number: number;
  readonly name: string;
  readonly statements: Readonly<Record<Engine['dialect'], readonly string[]>>;
}
