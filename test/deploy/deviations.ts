/** Tests of the contract that fail against the emulator by its own fault, and which. */
export const emulatorFaults: Readonly<Record<string, string>> = {
  'a body of exactly 8 MiB is accepted and kept byte for byte':
    'It answers 500 for a method whose reply is streamed, as the payload’s is; test/infra asserts the template.',
  'an invalid Content-Length is refused by name': 'Its HTTP server refuses the request before any gateway sees it.',
};

/** Tests that would wait for their time to be over, and why. */
export const notRun: Readonly<Record<string, string>> = {
  'fifty identical requests at once make one delivery': 'It starts a process for each request at once: these time out.',
  'the rate guard answers 429 with Retry-After to the project that is over its rate, and to no other':
    'It starts a process for each request at once, and the guard is a process’s own.',
};
