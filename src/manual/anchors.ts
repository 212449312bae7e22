// How a heading of the manual is named in links to it: as GitHub and others name it, so that links work in files too.

/** `worked-example-each-team` of "Worked example: each team". */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
