import { type FormEvent, useState } from 'react';
import { Field } from '../../ui/Field.tsx';
import { joined } from '../../ui/joined.ts';
import { Select } from '../../ui/Select.tsx';
import { missingIn, noAnswers, questions, resourceChoices, type Survey } from './survey.ts';
import styles from './survey-form.module.css';

/** The questions. The button that submits stands outside and names the form by its id. */
export function SurveyForm({ id, onSubmit }: { readonly id: string; readonly onSubmit: (survey: Survey) => void }) {
  const [survey, setSurvey] = useState<Survey>(noAnswers);
  const [tried, setTried] = useState(false);
  const missing = tried ? missingIn(survey) : {};
  const answer = (changed: Partial<Survey>): void => setSurvey(now => ({ ...now, ...changed }));
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const [first] = Object.keys(missingIn(survey));
    setTried(true);
    if (first === undefined) onSubmit(survey);
    else event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  };
  return (
    <form
      id={id}
      className={styles.form}
      noValidate
      onSubmit={submit}
      onKeyDown={event => {
        if (event.key !== 'Enter' || (!event.ctrlKey && !event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
    >
      <Field
        label={questions.companyName.title}
        name="companyName"
        data-first
        autoFocus
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
  );
}
