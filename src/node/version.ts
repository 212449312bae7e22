// The product's version, from package.json: the one place that states it.
import about from '../../package.json' with { type: 'json' };

/** Such as `0.1.0`. */
export const packageVersion = (): string => about.version;
