/** Answers as models write them, in the languages of the world: written for the tests, each with what must be seen in it. */

/** `bold`, `struck`, `math`, `code`: what stands so marked, in order, where it is given; `shows`: what can be read, sign for sign; `dirs`: sides of lists, quotations and tables. */
export type Answer = { name: string; text: string; bold?: string[]; struck?: string[]; math?: string[]; code?: string[]; shows?: string[]; dirs?: string[] }

const lines = (...parts: string[]): string => parts.join('\n')

export const answers: readonly Answer[] = [
  {
    name: 'Chinese: how to move a server, with steps and prices',
    text: lines('## 服务器迁移方案', '', '**注意：**迁移前请**“先备份数据”**，再继续。整个过程大约需要3~5天，费用100~200元（约$15~$30）。', '', '1. **准备工作：**安装 `rsync`，检查磁盘空间。', '2. **同步（第一次）**大约要2~3小时。', '3. **切换DNS**，等待~10分钟。', '',
      '> **提示！**每GB流量收费0.5~0.8元。', '', '| 方案 | 价格 | 时间 |', '|---|--:|:-:|', '| 基础版 | $5/月 | 1~2天 |', '| **专业版：** | $20/月 | 3~4天 |', '', '```bash', 'rsync -av $SRC/ $DST/   # ~5 GB', '```', '', '~~旧方案：~~不再推荐。'),
    bold: ['注意：', '“先备份数据”', '准备工作：', '同步（第一次）', '切换DNS', '提示！', '专业版：'], struck: ['旧方案：'], math: [], code: ['rsync', 'rsync -av $SRC/ $DST/   # ~5 GB'],
    shows: ['大约需要3~5天，费用100~200元（约$15~$30）', '每GB流量收费0.5~0.8元', '$5/月', '$20/月', '等待~10分钟'], dirs: ['ltr', 'ltr', 'ltr'],
  },
  {
    name: 'Chinese: a proof, with formulas and money',
    text: lines('设$x$为单价，$n$为数量，则总价为$n \\times x$。若$x=5$，$n=3$，总价是$15$。', '', '$$', '总价 = 单价 \\times 数量', '$$', '', '也可以写成 $y = f(x)$，其中 $f(x) = x^2 + 2x$。第$n$项是$a_n$。', '', '实际价格：$5 一个，$12 三个；也有人写 5$、12$ 或 US$5、HK$40。'),
    bold: [], math: ['x', 'n', 'n \\times x', 'x=5', 'n=3', '15', '总价 = 单价 \\times 数量', 'y = f(x)', 'f(x) = x^2 + 2x', 'n', 'a_n'], shows: ['$5 一个，$12 三个；也有人写 5$、12$ 或 US$5、HK$40。'],
  },
  {
    name: 'Japanese: settings of a server, with ranges and emphasis',
    text: lines('### サーバーの設定', '', '**「データベース」**の接続数は**10〜20**、タイムアウトは**30秒（推奨）**です。料金は月額$20~$30（税込）で、**初月は無料！**その後は有料です。', '', '- **メモリー：**4~8GB', '- **ストレージ（SSD）**は100~200GB', '- 「~/data」に保存されます', '', '```yaml', 'price: $20', 'range: 3~5', '```', '', '*（参考）*詳細は**『手引き』**を参照。'),
    bold: ['「データベース」', '10〜20', '30秒（推奨）', '初月は無料！', 'メモリー：', 'ストレージ（SSD）', '『手引き』'], struck: [], math: [], shows: ['月額$20~$30（税込）', '4~8GB', '100~200GB', '「~/data」', '（参考）詳細は'], code: ['price: $20\nrange: 3~5'], dirs: ['ltr'],
  },
  {
    name: 'Korean: rules of a project',
    text: lines('**“공개 문서는 점검한다”**는 원칙입니다. **예산(안)**은 $100~$200이고, **기간:**약 3~5일입니다.', '', '1. **검토(1차)**를 먼저 합니다.', '2. **“최종본”**을 보냅니다.', '', '~~취소됨~~ 다시 진행합니다. 가격은 5$에서 10$까지입니다.'),
    bold: ['“공개 문서는 점검한다”', '예산(안)', '기간:', '검토(1차)', '“최종본”'], struck: ['취소됨'], math: [], shows: ['$100~$200이고', '약 3~5일입니다', '5$에서 10$까지'], dirs: ['ltr'],
  },
  {
    name: 'Arabic: how to install, with code and prices',
    text: lines('## تثبيت البرنامج', '', 'مرحبا بالعالم. هذه فقرة عربية تنتهي بنقطة (مثال).', '', '`npm install` هو الأمر الأول، والسعر بين 5$ و10$ أو من $5 إلى $10.', '', '- **الخطوة الأولى:** افتح `terminal`.', '- الخطوة الثانية: اكتب الأمر.', '', '> اقتباس قصير.', '', '| الاسم | السعر |', '|---|---|', '| أساسي | 5$ |', '', 'An English paragraph.', '', '```js', 'const a = 1', '```', '', '```', 'نص داخل كتلة', '```'),
    bold: ['الخطوة الأولى:'], math: [], shows: ['5$ و10$ أو من $5 إلى $10.'], code: ['npm install', 'terminal', 'const a = 1', 'نص داخل كتلة'], dirs: ['rtl', 'rtl', 'rtl'],
  },
  {
    name: 'Hebrew: a list that is loose, with English names first',
    text: lines('שלום! הנה **רשימת הקניות** (כ-100~200 ש"ח):', '', '1. `docker` מותקן כבר.', '', '2. React הוא הבא בתור.', '', '- **"חשוב"** לזכור: $x^2$ הוא ריבוע, ו-5$ הוא מחיר.', '', 'https://example.org/a הוא הקישור.'),
    bold: ['רשימת הקניות', '"חשוב"'], struck: [], math: ['x^2'], shows: ['(כ-100~200 ש"ח)', '5$ הוא מחיר'], code: ['docker'], dirs: ['rtl', 'rtl'],
  },
  {
    name: 'English: prices, shell and ranges',
    text: lines('It costs $5–$10 (or 5$ to 10$ in Quebec), i.e. US$5 and CA$7; see ~/.config and ~5 (~10) ms.', '', 'Set $HOME:$PATH, $FOO/$BAR and ${name}-${age}; $1 and $2 are arguments, $(date)-$(whoami) a name. Ranked $$ to $$$.', '', 'For the $n$th term $a_n = 2n + 1$ and $O(n \\log n)$ steps, with $\\alpha = 0.05$ and 10$\\mu$m.', '', '**Bold** and *italics*, ***both***, snake_case_name, 2 * 3 * 4, ~~gone~~.', '', '- [x] done for $3', '- [ ] open for 4$'),
    bold: ['Bold', 'both'], struck: ['gone'], math: ['n', 'a_n = 2n + 1', 'O(n \\log n)', '\\alpha = 0.05', '\\mu'],
    shows: ['$5–$10 (or 5$ to 10$ in Quebec), i.e. US$5 and CA$7; see ~/.config and ~5 (~10) ms.', '$HOME:$PATH, $FOO/$BAR and ${name}-${age}; $1 and $2', '$(date)-$(whoami)', '$$ to $$$', 'snake_case_name, 2 * 3 * 4', 'done for $3', 'open for 4$'], dirs: ['ltr'],
  },
  {
    name: 'English: a README in a fence, with fences inside',
    text: lines('Here is the file:', '', '```markdown', '# Plan', '', '```sh', 'npm i', '```', '', '~~~text', 'as it is', '~~~', '', '```python', 'print("$5")', '```', '', 'The end of the file.', '```', '', 'After **it** come words.', '', '````md', '```js', 'x', '```', '````', '', 'The end.'),
    bold: ['it'], code: ['# Plan\n\n```sh\nnpm i\n```\n\n~~~text\nas it is\n~~~\n\n```python\nprint("$5")\n```\n\nThe end of the file.', '```js\nx\n```'], shows: ['After it come words.', 'The end.'],
  },
  {
    name: 'English: a fence inside of a document that is never closed',
    text: lines('```md', '# Title', '```js', 'const a = 1', '```', '', 'A paragraph that follows.', '', 'And one more.', '', 'And the last.'),
    code: ['# Title\n```js\nconst a = 1'], shows: ['A paragraph that follows.', 'And the last.'],
  },
  {
    name: 'English: links that are defined at the end',
    text: lines('See [the guide][g] and [a]\\[1] and [b].', '', 'A second paragraph.', '', '- one [g]', '- two', '', 'A third one.', '', 'More.', '', '[g]: https://guide.example/start "Guide"', '[a]: https://a.example/x', '[b]: https://b.example/y', ''),
    shows: ['A third one.'],
  },
]
