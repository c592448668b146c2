import type { Route } from '../route.ts';
import { SignInDirections } from '../sign-in.ts';

/** What a client has to know before anybody has signed in: C-ACCESS-10. */
export const signInRoutes = {
  getSignInDirections: {
    method: 'GET',
    path: '/v1/auth/sign-in',
    function: 'access',
    summary: 'Tells where people sign in, and as which client of the issuer.',
    access: { kind: 'public' },
    replies: { 200: { description: 'Where people sign in.', schema: SignInDirections } },
    problems: [],
  },
} as const satisfies Record<string, Route>;
