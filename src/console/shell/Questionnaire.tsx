import { type FormEvent, useEffect, useId, useState } from 'react';
import { precaptureEvent, precaptureEvents } from '../../contract/capture.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { joined } from '../ui/joined.ts';
import { Select } from '../ui/Select.tsx';
import type { Console } from './console.ts';
import styles from './questionnaire.module.css';
import { missingIn, noAnswers, questions, resourceChoices, type Survey, sendSurvey, storedSurvey } from './survey.ts';

/**
 * Asks a person once who they are and what they came for. Closes on submit; "Not now" puts it off for this tab's session. Answers
 * that were given before and never arrived are sent instead.
 */
export function Questionnaire({ built, onLater }: { readonly built: Console; readonly onLater: () => void }) {
  const [unsent] = useState(() => storedSurvey(localStorage));
  const { preferences, boot, user } = built;
  useEffect(() => {
    if (unsent !== null) void sendSurvey(unsent, { storage: localStorage, preferences });
  }, [unsent, preferences]);
  if (unsent !== null) return null;
  const submit = (survey: Survey): void => {
    void sendSurvey(survey, { storage: localStorage, preferences });
    const username = user.state.who?.userName ?? '';
    // Fire and forget (specification section 7).
    boot
      .api(precaptureEvent, { body: { event: precaptureEvents.questionnaireSubmit, username } })
      .catch(() => undefined);
  };
  return <SurveyDialog onSubmit={submit} onLater={onLater} />;
}

function SurveyDialog({
  onSubmit,
  onLater,
}: {
  readonly onSubmit: (survey: Survey) => void;
  readonly onLater: () => void;
}) {
  const id = useId();
  const [survey, setSurvey] = useState<Survey>(noAnswers);
  const [tried, setTried] = useState(false);
  const missing = tried ? missingIn(survey) : {};
  const answer = (changed: Partial<Survey>): void => setSurvey(now => ({ ...now, ...changed }));
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const faults = missingIn(survey);
    const [first] = Object.keys(faults);
    if (first === undefined) onSubmit(survey);
    else {
      setTried(true);
      event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
    }
  };
  return (
    <Dialog
      title="Tell us about your work"
      actions={
        <>
          <Button size="large" onClick={onLater}>
            Not now
          </Button>
          <Button kind="primary" size="large" type="submit" form={id}>
            Submit
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles.form}
        noValidate
        onSubmit={submit}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
        }}
      >
        <Field
          label={questions.companyName.title}
          name="companyName"
          data-first
          autoComplete="organization"
          maxLength={255}
          value={survey.companyName}
          onChange={event => answer({ companyName: event.target.value })}
          error={missing.companyName}
        />
        {(['employeeCount', 'team', 'jobTitle'] as const).map(name => (
          <Select
            key={name}
            name={name}
            label={questions[name].title}
            choices={questions[name].choices}
            value={survey[name]}
            onChange={event => answer({ [name]: event.target.value })}
            error={missing[name]}
          />
        ))}
        <fieldset
          className={styles.resources}
          aria-describedby={missing.resources === undefined ? undefined : `${id}-resources`}
        >
          <legend id={`${id}-resources`} className={joined(missing.resources !== undefined && styles.wrong)}>
            {missing.resources ?? 'What you want to reach'}
          </legend>
          {resourceChoices.map(({ value, title }) => (
            <label key={value} className={styles.resource}>
              <input
                type="checkbox"
                name="resources"
                checked={survey.resources.includes(value)}
                onChange={event =>
                  answer({
                    resources: event.target.checked
                      ? [...survey.resources, value]
                      : survey.resources.filter(one => one !== value),
                  })
                }
              />
              {title}
            </label>
          ))}
        </fieldset>
      </form>
    </Dialog>
  );
}
