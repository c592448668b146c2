import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';

type Answer<T> = Promise<{ readonly data?: T }>;

/** Changes something by a request, after which what was known under a key is requested again. */
export function useChange<T>(queryKey: QueryKey) {
  const queries = useQueryClient();
  const changing = useMutation({
    mutationFn: async (request: () => Answer<T>) => (await request()).data,
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  return {
    ...changing,
    change: changing.mutate,
    /** What a form does; if that succeeds, it is emptied, or whatever `done` does. */
    submit: (request: (form: FormData) => Answer<T>, done?: () => void) => (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const form = event.currentTarget;
      const fields = new FormData(form);
      changing.mutate(() => request(fields), { onSuccess: done ?? (() => form.reset()) });
    },
  };
}
