/** The talk in the pictures of the app: long enough that a compaction has something to do. */

type Turn = readonly [asked: string, answered: string]

const turns: readonly Turn[] = [
  [
    'We need a login for the reading-club site. People sign in with mail and password, on phone and laptop. What would you build first?',
    'Start with the session, not with the form. Two tokens keep the rest simple:\n\n- an **access token** that lives for ten minutes and is never stored on the server,\n- a **refresh token** that lives for thirty days, is stored as a hash, and changes on every use.\n\nThe form, the reset mail and the rate limit all follow from that choice.',
  ],
  [
    'Why not plain sessions in the database? There are only 300 members.',
    'Plain sessions would do for 300 members. Two things in what you told me speak against them: the gateway in front has no database, and you want people to stay signed in on the train. If either goes away, take sessions: one table, one cookie, nothing to rotate.',
  ],
  [
    'Both stay. Tokens it is. Never log a token, please, not even the first letters of one.',
    'Noted, and worth a test: every line that the logger writes is searched for the three parts of a token. I would put it beside the logger, in `src/log.test.ts`, so that nobody has to remember it.',
  ],
  [
    'Here is what the refresh endpoint does now:\n\n```ts\nconst key = process.env.SIGNING_KEY ?? randomBytes(32)\n```\n\nAfter each deployment everybody has to sign in again.',
    'That line is the reason. Where `SIGNING_KEY` is not set, each start makes a new key, and every token signed with the old one is refused with 401.\n\n```ts\nconst key = process.env.SIGNING_KEY\nif (key === undefined) throw new Error("SIGNING_KEY is not set: see ops/notes.md")\n```\n\nA server that does not start is found in a minute; one that signs everybody out is found by the members.',
  ],
  [
    'It starts on my machine now, but staging says ERR_CONN_RESET for about a minute after each deployment.',
    'That minute is the old process: it is stopped before the new one listens. Let the new one answer `/health` first, then send the old one a SIGTERM and give it 20 s to finish what it has begun.',
  ],
  [
    'How many sign-ins a minute should we allow?',
    '| Who | Limit | Then |\n|---|---|---|\n| one address | 5 a minute | wait, with the seconds left |\n| one account | 10 an hour | a mail to its owner |\n| everybody | 200 a minute | the form says “busy” |\n\nCount failures only. A family behind one router signs in at eight in the evening, and that is no attack.',
  ],
  [
    'Good. The password reset mail must go out within a minute, or people ask for three of them.',
    'Then do not send it from the request. Write it into a table, answer at once, and let a worker send it: every 5 s, oldest first, tried again three times. If a second one is asked for within ten minutes, the first link stays valid and no new mail goes out.',
  ],
  [
    'The tests take four minutes. Which of them could go?',
    'None of the 41 in `npm run test:auth`, but most of their time is bcrypt at cost 12. Let the cost be a setting, and 4 in tests: the run falls to about 20 s and still goes through every line.',
  ],
  [
    'Done: 19 s. What is left before we can open it to everyone?',
    'Three things, in this order:\n\n1. Set `SIGNING_KEY` on staging and on the live server, and write down where it is kept.\n2. Deploy with the health check, and watch one deployment for connection resets.\n3. Rotate a refresh token twice with the same value: the second must end *both* sessions, because one of them was stolen.',
  ],
  [
    'And if somebody loses the phone?',
    'A page with the devices that are signed in: when, roughly where from, and a button **Sign out**. It removes the hash of that refresh token, so the phone is out after ten minutes at the latest.',
  ],
]

const start = Date.UTC(2026, 10, 3, 9)
const minute = 60_000

/** The talk as lines to import. */
export function talk(): string[] {
  const id = 'reading-club'
  const lines = [
    JSON.stringify({
      type: 'session',
      harness: 'haversack',
      id,
      name: 'Login for the reading club',
      createdAt: start,
      format: 1,
    }),
  ]
  let parent: string | null = null
  for (const [seq, text] of turns.flat().entries()) {
    const message = seq % 2 === 0 ? { role: 'user', content: text } : { role: 'assistant', content: text, stop: 'stop' }
    const own = `${id}-${seq}`
    lines.push(JSON.stringify({ type: 'message', id: own, parent, seq, timestamp: start + seq * 4 * minute, message }))
    parent = own
  }
  return lines
}

/** What the model in the pictures says when it is asked for a summary. */
export const summary = `## Goal
A login for the reading-club site: mail and password, on phone and laptop, for about 300 members.

## Constraints & Preferences
- Never log a token, not even its first letters.
- The password reset mail goes out within a minute.

## Progress
### Done
- [x] \`SIGNING_KEY\` must be set, or the server does not start.
- [x] Rate limit: 5 failures a minute and address.
- [x] \`npm run test:auth\` (41 tests) takes 19 s.
### In Progress
- [ ] ERR_CONN_RESET for a minute after each deployment.
### Blocked
- (none)

## Key Decisions
- **Tokens, not sessions**: the gateway has no database, and people stay signed in on the train.
- **Refresh tokens change on every use** and are stored as a hash.

## Next Steps
1. Set \`SIGNING_KEY\` on staging and live.
2. Deploy with the health check.

## Critical Context
- \`src/log.test.ts\`, \`ops/notes.md\`
`
/** What is asked at the end of the talk, and the answer. */
export const last: Turn = [
  'What was the limit for one address again?',
  'Five **failed** sign-ins a minute for one address. After that the form says how many seconds are left; sign-ins that succeed are not counted.',
]
