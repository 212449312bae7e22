// The filter language of lists and of label expressions (contract/roles.md 3): its tree.

/** A parsed expression. Fields are paths such as ['labels', 'env'] or ['name']; calls are functions of the language. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string }
  | { readonly kind: 'field'; readonly path: readonly string[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'and' | 'or' | 'equal' | 'unequal'; readonly left: Expression; readonly right: Expression };
