// What may come next in a filter that is being written: fields, functions, labels seen so far, and how to go on.
import type { LabelsSeen } from './labels-seen.ts';

export interface Suggestion {
  /** What is shown. */
  readonly title: string;
  readonly detail: string;
  /** What replaces the text from `start` to the caret. */
  readonly text: string;
  readonly start: number;
}

/** Suggestions shown at once. */
const SUGGESTIONS_MOST = 12;

const words: readonly { readonly title: string; readonly text: string; readonly detail: string }[] = [
  { title: 'labels["…"]', text: 'labels["', detail: 'a label' },
  { title: 'name', text: 'name', detail: 'its name' },
  { title: 'search("…")', text: 'search("', detail: 'words anywhere' },
  { title: 'hasPrefix(…)', text: 'hasPrefix(', detail: 'begins with' },
  { title: 'equals(…)', text: 'equals(', detail: 'is the same' },
  { title: 'exists(…)', text: 'exists(', detail: 'has the label' },
  { title: 'resource.spec.hostname', text: 'resource.spec.hostname', detail: 'host name of a server' },
  { title: 'resource.spec.addr', text: 'resource.spec.addr', detail: 'address of a server' },
  { title: 'resource.metadata.description', text: 'resource.metadata.description', detail: 'its description' },
];
const joins = [
  { title: '&&', text: '&& ', detail: 'and' },
  { title: '||', text: '|| ', detail: 'or' },
];
const compares = [
  { title: '==', text: '== "', detail: 'is' },
  { title: '!=', text: '!= "', detail: 'is not' },
];

/** What fits at the caret, best first. */
export function suggestionsAt(text: string, caret: number, labels: LabelsSeen): readonly Suggestion[] {
  const before = text.slice(0, caret);
  const inName = /labels\["([^"\]]*)$/.exec(before);
  if (inName)
    return fitting(
      [...labels.keys()].sort().map(name => ({ title: name, text: `${name}"]`, detail: 'label' })),
      inName[1] ?? '',
      caret,
    );
  const inValue = /labels(?:\["([^"]+)"\]|\.([\p{L}\p{N}_]+))\s*(?:==|!=|,)\s*"([^"]*)$/u.exec(before);
  if (inValue) {
    const name = inValue[1] ?? inValue[2] ?? '';
    const values = [...(labels.get(name) ?? [])].sort();
    return fitting(
      values.map(value => ({ title: value, text: `${JSON.stringify(value).slice(1)}`, detail: name })),
      inValue[3] ?? '',
      caret,
    );
  }
  if (isInText(before)) return [];
  // A whole comparison or call stands before the caret: it can only go on.
  if (/(?:(?:==|!=)\s*"(?:[^"\\]|\\.)*"|\))\s*$/.test(before)) return fitting(spaced(joins, before), '', caret);
  if (/(?:labels\["[^"]*"\]|labels\.[\p{L}\p{N}_]+|\bname|resource\.[\p{L}\p{N}_.]+)\s+$/u.test(before))
    return fitting(compares, '', caret);
  if (/labels\["[^"]*"\]$/.test(before)) return fitting(spaced(compares, before), '', caret);
  const [typed = ''] = /[\p{L}][\p{L}\p{N}_.]*$/u.exec(before) ?? [];
  const own = fitting(words, typed, caret);
  const named =
    typed === ''
      ? []
      : fitting(
          [...labels.keys()]
            .sort()
            .map(name => ({ title: `labels["${name}"]`, text: `labels["${name}"] == "`, detail: 'label', by: name })),
          typed,
          caret,
        );
  return [...own, ...named].slice(0, SUGGESTIONS_MOST);
}

interface Offer {
  readonly title: string;
  readonly text: string;
  readonly detail: string;
  /** What is compared with what was typed; default: the title. */
  readonly by?: string;
}

const spaced = (offers: readonly Offer[], before: string): readonly Offer[] =>
  before.endsWith(' ') ? offers : offers.map(offer => ({ ...offer, text: ` ${offer.text}` }));

/** Offers that begin with what was typed, then those that hold it. What is there whole already is not offered. */
function fitting(offers: readonly Offer[], typed: string, caret: number): readonly Suggestion[] {
  const wanted = typed.toLowerCase();
  const by = (offer: Offer): string => (offer.by ?? offer.title).toLowerCase();
  const begin = offers.filter(offer => by(offer).startsWith(wanted) && offer.text !== typed);
  const hold = wanted === '' ? [] : offers.filter(offer => !by(offer).startsWith(wanted) && by(offer).includes(wanted));
  return [...begin, ...hold]
    .slice(0, SUGGESTIONS_MOST)
    .map(({ title, text, detail }) => ({ title, text, detail, start: caret - typed.length }));
}

/** Whether the text ends inside quotes. */
function isInText(before: string): boolean {
  let quote = '';
  for (let at = 0; at < before.length; at++) {
    const character = before[at] ?? '';
    if (quote === '"' && character === '\\') at++;
    else if (quote === '') quote = character === '"' || character === '`' ? character : '';
    else if (character === quote) quote = '';
  }
  return quote !== '';
}

/** The text after a suggestion was taken, and where the caret then stands. */
export function taken(
  text: string,
  caret: number,
  suggestion: Suggestion,
): { readonly text: string; readonly caret: number } {
  // A quote or bracket that stood behind the caret already is not doubled.
  const closed = /^"\]?|^\)/.exec(text.slice(caret))?.[0] ?? '';
  const rest =
    closed !== '' && suggestion.text.endsWith(closed) ? text.slice(caret + closed.length) : text.slice(caret);
  const head = text.slice(0, suggestion.start) + suggestion.text;
  return { text: head + rest, caret: head.length };
}
