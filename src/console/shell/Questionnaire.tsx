import { useEffect, useId, useState } from 'react';
import { precaptureEvent, precaptureEvents } from '../../contract/capture.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { SurveyForm } from '../wizards/survey/SurveyForm.tsx';
import type { Survey } from '../wizards/survey/survey.ts';
import type { Console } from './console.ts';
import { sendSurvey, storedSurvey } from './survey.ts';

/**
 * Asks a person once who they are and what they came for. Closes on submit; "Not now" puts it off for this tab's session. Answers
 * that were given before and never arrived are sent instead.
 */
export function Questionnaire({ built, onLater }: { readonly built: Console; readonly onLater: () => void }) {
  const id = useId();
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
      <SurveyForm id={id} onSubmit={submit} />
    </Dialog>
  );
}
