import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { TextField } from '../parts/fields.tsx';
import { readTime, written } from '../parts/time.tsx';
import { texts } from '../texts.ts';

/** The two times, as they are written into the address; without the second it is now. */
export function TimesForm({ from, to }: { readonly from: string; readonly to: string | undefined }) {
  const navigate = useNavigate();
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const times = timesOf(new FormData(event.currentTarget));
    setWrong(times === null);
    if (times !== null) void navigate({ to: '/changes', search: (before) => ({ ...before, ...times }) });
  };
  return (
    <form className="card fields" onSubmit={submit}>
      <div className="field-row">
        <TextField label={texts.changes.from} name="from" defaultValue={written(from)} title={texts.asOf.hint} />
        <TextField
          label={texts.changes.to}
          name="to"
          defaultValue={to === undefined ? '' : written(to)}
          placeholder={texts.asOf.now}
          title={texts.asOf.hint}
        />
        <button type="submit" className="primary">
          {texts.changes.compare}
        </button>
      </div>
      {isWrong && (
        <p role="alert" className="field-error">
          {texts.asOf.invalid}
        </p>
      )}
    </form>
  );
}

/** Null where one of them is no time. */
function timesOf(form: FormData): { readonly from: string; readonly to: string | undefined } | null {
  const [first, last] = [String(form.get('from')), String(form.get('to'))];
  const [from, to] = [readTime(first), readTime(last)];
  return from === null || (last.trim() !== '' && to === null) ? null : { from, to: to ?? undefined };
}
