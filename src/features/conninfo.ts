// Connection strings of libpq, which psql and much else read.

/** `key=value` each, quoted where it must be; what is undefined or empty is left out. */
export const conninfo = (values: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(values)
    .flatMap(([key, value]) => (value === undefined || value === '' ? [] : [`${key}=${quoted(String(value))}`]))
    .join(' ');

const quoted = (value: string): string =>
  /^[A-Za-z0-9_./:@-]+$/.test(value) ? value : `'${value.replaceAll(/['\\]/g, '\\$&')}'`;
