// Which servers are production, read from their labels: terminals are more careful there.

/** Keys of labels that name a stage, alone or after a prefix such as `company.com/`. */
const STAGE_KEYS = /(?:^|[/._-])(?:env|environment|stage|tier)$/i;
/** The stage where mistakes cost most, alone or with more behind it, as in `prod-eu`. */
const PRODUCTION = /^(?:prod|production|live)(?![a-z])/i;

/** Whether labels say production: `env: prod`, or a key such as `production` that is not switched off. */
export const isProduction = (labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(labels).some(
    ([key, value]) =>
      (STAGE_KEYS.test(key) && PRODUCTION.test(value)) ||
      (/^prod(?:uction)?$/i.test(key) && !/^(?:false|no|0)$/i.test(value)),
  );
