// The only importer of CodeMirror: whoever wants code drawn asks CodeField, which brings this file.
import {
  acceptCompletion,
  autocompletion,
  type Completion as Listed,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { Decoration, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { CodeFieldProps, Completed, Completion, TextProblem } from './CodeField.tsx';
import styles from './code.module.css';
import { styleNonce } from './style-nonce.ts';

/** Colours by what a word is, from the theme's own tokens. */
const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--link)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--success)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: 'var(--warning)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--text-muted)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.meta], color: 'var(--text-muted)' },
]);

/** Marks a line, from 1; undefined marks none. */
const markAt = (line: number | undefined, name: string | undefined): Extension =>
  EditorView.decorations.of(view =>
    line === undefined || line > view.state.doc.lines
      ? Decoration.none
      : Decoration.set(Decoration.line({ class: name ?? '' }).range(view.state.doc.line(line).from)),
  );

/** As the editor lists it. Behind a key that is there already, only its name changes. */
const listed = ({ label, info, text, back = 0, isKey = false }: Completion): Listed => ({
  label,
  ...(info !== undefined && { info }),
  apply(view, picked, from, to) {
    const isThere = isKey && /^\w*:/.test(view.state.sliceDoc(to, view.state.doc.lineAt(to).to));
    const insert = isThere ? label : text;
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length - (isThere ? 0 : back) },
      annotations: pickedCompletion.of(picked),
      userEvent: 'input.complete',
      scrollIntoView: true,
    });
    if (isKey && !isThere) startCompletion(view);
  },
});

/** Lists what fits while somebody types and on Ctrl+Space; Enter and Tab take it, Escape closes the list alone. */
const completion = (complete: (text: string, caret: number) => Promise<Completed | null> | null): Extension => [
  autocompletion({
    icons: false,
    // Whoever is quick takes what is shown, rather than leave the text by Tab.
    interactionDelay: 0,
    override: [
      async ({ state, pos }) => {
        const found = await complete(state.doc.toString(), pos);
        return found && { from: found.start, options: found.options.map(listed), validFor: /^[\w'*-]*$/ };
      },
    ],
  }),
  keymap.of([{ key: 'Tab', run: acceptCompletion }]),
];

/** A person who types on is not told what is wrong with half a word, ms. */
const CHECK_AFTER_MS = 600;

/** Marks what is wrong in the text and beside its line; F8 goes from one to the next and says it. Nothing is fetched before something is written. */
const checking = (first: string, check: (text: string) => Promise<readonly TextProblem[]>): Extension => [
  linter(
    async ({ state }) =>
      (state.doc.toString() === first ? [] : await check(state.doc.toString())).map(({ from, to, text }) => ({
        from: Math.min(from, state.doc.length),
        to: Math.min(to, state.doc.length),
        severity: 'error',
        message: text,
      })),
    { delay: CHECK_AFTER_MS },
  ),
  lintGutter(),
  keymap.of(lintKeymap),
];

/** Text with numbered lines and syntax colour. Tab leaves it, as everywhere; Mod+Enter submits. It takes the keys as it comes unless it is only read. */
export function CodeEditor({
  label,
  language = 'yaml',
  value,
  readOnly = false,
  faultyLine,
  line,
  complete,
  check,
  onChange,
  onSubmit,
}: CodeFieldProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const mark = useRef(new Compartment());
  /** Until something else is marked. */
  const opensAt = useRef(line);
  const latest = useRef({ complete, check, onChange, onSubmit });
  latest.current = { complete, check, onChange, onSubmit };

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor as long as it is shown; a changed text is put into it below.
  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const submit = (): boolean => {
      latest.current.onSubmit?.();
      return true;
    };
    const view = new EditorView({
      parent,
      doc: value,
      extensions: [
        keymap.of([{ key: 'Mod-Enter', run: submit }, ...defaultKeymap, ...historyKeymap]),
        EditorView.cspNonce.of(styleNonce(document)),
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'none' }),
        EditorView.updateListener.of(update => {
          if (update.docChanged) latest.current.onChange?.(update.state.doc.toString());
        }),
        mark.current.of(markAt(undefined, undefined)),
        history(),
        indentOnInput(),
        bracketMatching(),
        lineNumbers(),
        complete === undefined || readOnly ? [] : completion((...at) => latest.current.complete?.(...at) ?? null),
        check === undefined || readOnly
          ? []
          : checking(value, async text => (await latest.current.check?.(text)) ?? []),
        language === 'yaml' ? yaml() : [],
        syntaxHighlighting(colours),
      ],
    });
    editor.current = view;
    if (!readOnly) queueMicrotask(() => view.focus());
    return () => {
      editor.current = null;
      view.destroy();
    };
  }, []);
  useEffect(() => {
    const view = editor.current;
    const before = view?.state.doc.toString();
    if (view === null || before === value) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    const view = editor.current;
    if (view === null) return;
    const at = faultyLine ?? opensAt.current;
    opensAt.current = undefined;
    const style = faultyLine === undefined ? styles.meant : styles.faulty;
    view.dispatch({ effects: mark.current.reconfigure(markAt(at, style)) });
    view.contentDOM.setAttribute('aria-invalid', String(faultyLine !== undefined));
    if (at === undefined || at > view.state.doc.lines) return;
    // The caret goes to the line that is meant, so that it can be mended at once.
    const { from } = view.state.doc.line(at);
    view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    view.focus();
  }, [faultyLine]);
  return <div ref={place} className={styles.editor} />;
}
