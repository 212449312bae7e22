import { Ellipsis } from 'lucide-react';
import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import { soleChoice } from '../../../commands/answer.ts';
import type { Argument, Choice, Command, Given, Thing } from '../../../commands/command.ts';
import { closedTo } from '../../../commands/gates.ts';
import { primaryOf } from '../../../commands/of-thing.ts';
import { whyNot } from '../../../commands/why.ts';
import { CommandButton } from '../palette/CommandButton.tsx';
import { useCommanding, useRegistry } from '../palette/context.tsx';
import { QuestionMenu } from '../palette/QuestionMenu.tsx';
import { givenOf, messageOf, unanswered } from '../palette/run.ts';
import { Button } from '../ui/Button.tsx';
import { NamedIcon } from '../ui/NamedIcon.tsx';
import { Popup } from '../ui/Popup.tsx';
import { actionsColumn } from '../ui/table-column.ts';
import { usePage } from './page.tsx';
import { RowMenu } from './RowMenu.tsx';

/** Wide enough for the longest label and the button of the menu. */
const ACTIONS_WIDTH = '168px';

/** A row's first command that asks one more thing, such as a login: it is asked beside the row. */
interface Question {
  readonly command: Command;
  readonly thing: Thing;
  readonly arg: Argument;
  readonly given: Given;
  readonly choices: readonly Choice[];
  readonly anchor: HTMLElement;
}

/** Id of the thing whose row asks something. */
const AskingContext = createContext('');

interface RowCommandsOf<Row> {
  readonly thingOf: (row: Row) => Thing | null;
  /** Commands that act on all marked rows. */
  readonly bulk: readonly string[];
  readonly canPin: boolean;
}

/** What a list's rows can do, read from their noun: the column of buttons, what Enter does, and the menu for "." and the right button. */
export function useRowCommands<Row>({ thingOf, bulk, canPin }: RowCommandsOf<Row>) {
  const { facts, tools, run } = useCommanding();
  const known = useRegistry();
  const { notify } = usePage();
  const [question, setQuestion] = useState<Question | null>(null);
  const [menu, setMenu] = useState<{ readonly rows: readonly Row[]; readonly anchor: HTMLElement } | null>(null);
  const close = (): void => setMenu(null);

  const open = (row: Row, anchor: HTMLElement): boolean => {
    const thing = thingOf(row);
    const command = thing === null ? undefined : primaryOf(thing, facts(), known);
    if (thing === null || command === undefined) return false;
    const closed = closedTo(thing);
    const given = givenOf(command, thing);
    const [arg, ...others] = unanswered(command, given);
    const why = closed === undefined ? undefined : whyNot(thing, facts());
    if (why !== undefined) run('rights.why', why);
    else if (closed !== undefined) notify(closed);
    else if (arg === undefined || others.length > 0 || arg.held !== undefined) run(command.id, given);
    else {
      const ask = (choices: readonly Choice[]): void => {
        const sole = soleChoice(arg, choices);
        if (sole !== undefined) run(command.id, { ...given, [arg.name]: sole });
        else setQuestion(now => (now?.anchor === anchor ? null : { command, thing, arg, given, choices, anchor }));
      };
      const choices = arg.choices('', given, facts(), tools());
      if ('then' in choices) choices.then(ask, (error: unknown) => notify(messageOf(error)));
      else ask(choices);
    }
    return true;
  };
  const latest = useRef({ open, thingOf });
  latest.current = { open, thingOf };
  const actions = useMemo(
    () =>
      actionsColumn<Row>(ACTIONS_WIDTH, row => {
        const thing = latest.current.thingOf(row);
        return thing && <RowActions thing={thing} onOpen={anchor => latest.current.open(row, anchor)} />;
      }),
    [],
  );
  const things = (menu?.rows ?? []).map(thingOf).filter(thing => thing !== null);
  const popup: ReactNode = (
    <>
      {menu !== null && (
        <Popup
          anchor={menu.anchor}
          label={things.length === 1 ? `Actions for ${things[0]?.title}` : 'Actions for the marked rows'}
          placement={menu.anchor.tagName === 'BUTTON' ? 'bottom-end' : 'bottom-start'}
          kind="menu"
          from="first"
          onClose={close}
        >
          <RowMenu things={things} isBulk={menu.rows.length > 1} bulk={bulk} canPin={canPin} onChoose={close} />
        </Popup>
      )}
      {question !== null && (
        <QuestionMenu
          label={question.command.onThing?.title(question.thing.title) ?? question.command.title}
          arg={question.arg}
          choices={question.choices}
          anchor={question.anchor}
          onAnswer={choice => run(question.command.id, { ...question.given, [question.arg.name]: choice })}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  );
  return {
    open,
    onMenu: (rows: readonly Row[], anchor: HTMLElement) =>
      setMenu(now => (now?.anchor === anchor ? null : { rows, anchor })),
    actions,
    popup,
    around: (children: ReactNode) => <AskingContext value={question?.thing.id ?? ''}>{children}</AskingContext>,
  };
}

/** The buttons of a row: what Enter does, and its menu, which the table opens. */
function RowActions({ thing, onOpen }: { readonly thing: Thing; readonly onOpen: (button: HTMLElement) => void }) {
  const isAsking = useContext(AskingContext) === thing.id;
  const { drawn } = useCommanding();
  const command = primaryOf(thing, drawn.facts(), useRegistry());
  const { onThing } = command ?? {};
  const closed = closedTo(thing);
  const label = closed === undefined ? onThing?.label : (onThing?.closedLabel ?? onThing?.label);
  return (
    <>
      {thing.refused !== undefined && <span title={thing.refused}>{thing.refused}</span>}
      {command !== undefined && onThing !== undefined && thing.refused === undefined && (
        <CommandButton
          id={command.id}
          things={[thing]}
          size="dense"
          tabIndex={-1}
          kind={closed === undefined ? 'secondary' : 'quiet'}
          icon={onThing.icon !== undefined && closed === undefined && <NamedIcon name={onThing.icon} />}
          aria-label={closed === undefined ? onThing.title(thing.title) : `${label}: ${onThing.title(thing.title)}`}
          aria-haspopup={isAsking ? 'dialog' : undefined}
          aria-expanded={isAsking || undefined}
          closed={closed}
          onRun={onOpen}
        >
          {label}
        </CommandButton>
      )}
      <Button
        kind="quiet"
        size="dense"
        tabIndex={-1}
        data-menu
        aria-haspopup="menu"
        aria-label={`Actions for ${thing.title}`}
        icon={<Ellipsis aria-hidden="true" />}
      />
    </>
  );
}
