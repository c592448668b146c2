/**
 * Phrases that readers stumble over, as data. Some have proper uses (a box stands on a table), so only README.md is held to
 * none; every other kind of text has a limit in a thousand words. To lower a limit after a rewrite, change the number.
 */
export const phrases: Readonly<Record<string, RegExp>> = {
  'alone, for only':
    /\b(?!stand-?)(?:\w+,? )(?<!\b(?:run|runs|used|left|leave|stands?|it|work|works|fail|fails) )alone\b/gi,
  'told, tells of': /\b(?:told|tells? of)\b/gi,
  'is said, says so': /\b(?:(?:is|are|was) said|said to be|what .{0,20} says? of|that is said)\b/gi,
  'stands, for is': /\b(?:stands? (?:in|for|at|behind|below|above|there|open|in its)|stood)\b/gi,
  'is made of': /\b(?:is made of|are made of|made of the same)\b/gi,
  'so many, so long as': /\b(?:so many|for so|so long as|that many)\b/gi,
  'where, for if': /(?:^|[.,;:] )where (?:it|there|that|one|a|an|no|nothing|the|they|none) /gi,
  'by which, from what': /\b(?:by|in|of|from|with) (?:which|what)\b/gi,
  'of its own': /\bof (?:its|their|our|one's|his) own\b/gi,
  'whoever, whatever': /\b(?:whoever|whatever comes|however often|whichever)\b/gi,
  'lest, but for, nor': /\b(?:lest|but for|other than by|save for|nor)\b/gi,
  'what is asked, sought': /\b(?:what is asked|is asked for|are asked for|was asked|asked again|sought)\b/gi,
  'comes to be, goes by': /\b(?:comes? to (?:own|be|nothing)|goes by|came of it|come of)\b/gi,
  'taken in, taken for': /\b(?:taken in|takes? in|took in|is taken for|taken for)\b/gi,
  'as it came': /\bas (?:it|they) (?:came|comes|come|stood)\b/gi,
};

/** A kind of text: its files, and how many phrases a thousand words may have at most. */
export type TextKind = { readonly files: readonly string[]; readonly except?: RegExp; readonly limit: number };

/**
 * Limits may only fall. The front page, the texts of the product, commands and errors have none.
 */
export const textKinds: Readonly<Record<string, TextKind>> = {
  'the front page': { files: ['README.md'], limit: 0 },
  documents: {
    files: ['docs/**/*.md', 'CONTRIBUTING.md', 'SECURITY.md', '{cli,sdk,scripts}/README.md', 'exporters/*/README.md'],
    except: /^docs\/adr\//,
    limit: 1,
  },
  'the changelog': { files: ['CHANGELOG.md'], limit: 1 },
  decisions: { files: ['docs/adr/*.md'], limit: 1 },
  'texts of the explorer': { files: ['web/src/texts.ts'], limit: 0 },
  'the command line': { files: ['cli/**/*.ts'], limit: 0 },
  'errors and limits': { files: ['shared/contract/**/*.ts'], limit: 0 },
  'the rest of the code': {
    files: ['{bin,lib,functions,shared,local,scripts,bench,web,sdk,exporters}/**/*.{ts,tsx,js,mjs,py}'],
    except: /^web\/src\/texts\.ts$|^shared\/contract\//,
    limit: 0.6,
  },
  tests: { files: ['test/**/*.ts'], except: /english(-phrases|\.test)\.ts$/, limit: 0.6 },
};
