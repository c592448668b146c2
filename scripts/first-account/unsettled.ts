/** What cannot be asked from outside in an hour, and where in the account it shows. */
export const unsettled: Readonly<Record<string, string>> = {
  'a recount of more than 16 steps is not cut as a recursion':
    'Change the policy of a connector with some thousand relations, and look at RecursiveInvocationsDropped of projector and document-projector in CloudWatch: there is no such metric.',
  'Athena reads the lake, also if keys differ only in case':
    'Send an event whose properties are {"a":1,"A":2}; once it is stored: SELECT properties FROM tributary_NAME.events WHERE workspace = … AND project = … AND environment = … AND date = … is an answer, not HIVE_CURSOR_ERROR.',
  'an answer beyond 6 MB comes as a stream':
    'tributary export of a workspace with some ten thousand relations is whole.',
  'a gzip body arrives at a function URL, if the tenant has functionUrls':
    'Send a gzip batch to the output CollectUrl as the second check does to the API: the answer is 202, and not 400 invalid_compression.',
  'one query finds a request in all logs':
    'The query of the runbook, section One request, with the X-Request-ID of any answer: the lines of gateway, function and worker.',
};
