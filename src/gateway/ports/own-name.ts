// The name of a resource among its labels, so that conditions of the gateway's own can choose single things.
type Labels = Readonly<Record<string, string>>;

/** Whoever writes a label of this name writes nothing: what is read is always the resource's own name. */
export const OWN_NAME_LABEL = 'postern.internal/own-name';

/**
 * Puts a resource's name into its labels, as they were just read. Whatever lists, copies or writes labels does not see it: a copy lacks it, and
 * what is given by name alone is then not given.
 */
export const withOwnName = (labels: Labels, name: string): Labels =>
  Object.defineProperty(labels, OWN_NAME_LABEL, { value: name, enumerable: false });
