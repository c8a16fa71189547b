/** How a shared page looks: the colours of the app, light and dark as the reader's device is, and on paper. */
export const pageStyle = `
:root{color-scheme:light dark;--paper:#fbfaf7;--sheet:#fff;--well:#f3f0e9;--line:#e4dfd4;--edge:#8f887a;--ink:#23211d;--soft:#625d52;--faint:#6b6558;--accent:#8a4b1f;--warn:#7a5200;--good:#2f6b45;--bad:#a3271f;
--sans:ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif;
--serif:ui-serif,'Iowan Old Style',Charter,Georgia,'Noto Serif',serif,'Songti SC','Noto Serif CJK SC';
--mono:ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,'Noto Sans Mono',monospace}
@media screen and (prefers-color-scheme:dark){:root{--paper:#191815;--sheet:#201f1b;--well:#26241f;--line:#38342b;--edge:#7f7868;--ink:#ebe6da;--soft:#b3ac9c;--faint:#a19a8a;--accent:#d89a63;--warn:#e2b565;--good:#86bd97;--bad:#f0958a}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:46rem;padding:2rem 1rem 4rem;background:var(--paper);color:var(--ink);font:0.9375rem/1.6 var(--sans);overflow-wrap:anywhere}
h1{font-size:1.45rem;line-height:1.3;margin:0 0 .25rem}
.about{color:var(--faint);font-size:.8125rem;margin:0 0 1.5rem}
article{margin:0 0 1.5rem;min-width:0}
article>h2{display:flex;flex-wrap:wrap;gap:.15rem .6rem;align-items:baseline;margin:0 0 .35rem;font-size:.8125rem;font-weight:600;color:var(--soft)}
article>h2 small,article>h2 time{font-weight:400;font-size:.78rem;color:var(--faint)}
.user>.sheet{background:var(--sheet);border:1px solid var(--line);border-radius:10px;padding:.75rem 1rem}
.typed{white-space:pre-wrap;margin:0}
.chips{list-style:none;display:flex;flex-wrap:wrap;gap:.4rem;margin:.6rem 0 0;padding:0}
.chips li{border:1px solid var(--line);border-radius:8px;padding:.1rem .55rem;font-size:.8125rem;color:var(--soft)}
.words{font:1.0625rem/1.65 var(--serif);display:grid;gap:.75rem;grid-template-columns:minmax(0,1fr)}
.words>*,.words p{margin:0}
.words h3,.words h4,.words h5,.words h6{font-family:var(--sans);font-weight:620;line-height:1.35;margin:.35rem 0 0}
.words h3{font-size:1.16em}.words h4{font-size:1.06em}.words h5,.words h6{font-size:.96em}
.words ul,.words ol{padding-inline-start:1.45em;display:grid;gap:.25rem;grid-template-columns:minmax(0,1fr);margin:0}
.words li{unicode-bidi:plaintext}[dir=rtl]>li{text-align:right}[dir=ltr]>li{text-align:left}
li:has(>[data-task]),li:has(>p>[data-task]){list-style:none;margin-inline-start:-1.3em}
blockquote{margin:0;padding-block:.1rem;padding-inline-start:1rem;border-inline-start:3px solid var(--line);color:var(--soft)}
hr{width:100%;border:0;border-top:1px solid var(--line);margin:.25rem 0}
a{color:var(--accent)}a small{font:.72em/1 var(--sans);color:var(--faint);white-space:nowrap}
a[data-image],span[data-image]{display:inline-block;padding:.2rem .6rem;border:1px dashed var(--edge);border-radius:8px;font:.8125rem/1.5 var(--sans);text-decoration:none}
code,pre{font-family:var(--mono)}
:not(pre)>code{background:var(--well);border-radius:5px;padding:.08em .32em;font-size:.84em}
pre{margin:0;padding:.75rem .9rem;overflow-x:auto;background:var(--well);border:1px solid var(--line);border-radius:10px;font-size:.8125rem;line-height:1.55;tab-size:2}
pre[data-language]{overflow-wrap:normal}
[data-plain]{white-space:pre-wrap}
[data-scroll]{overflow-x:auto;border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;font:.875em/1.5 var(--sans);min-width:100%;overflow-wrap:normal}
th,td{text-align:start;padding:.35rem .75rem;border-bottom:1px solid var(--line);vertical-align:top;min-width:4rem}
th{background:var(--well);font-weight:600}[align=right]{text-align:right}[align=center]{text-align:center}tbody tr:last-child td{border-bottom:0}
.formula.display{display:block;overflow-x:auto;text-align:center;padding:.25rem 0}
.ending{color:var(--faint);font-size:.8125rem;margin:.4rem 0 0}
.tool{margin:0 0 .5rem;border-inline-start:2px solid var(--line);padding-inline-start:.8rem;font-size:.8125rem;color:var(--soft)}
.words+.tool{margin-top:.6rem}
.tool summary{cursor:pointer}.tool .failed{color:var(--bad)}
.tool h3{font-size:.78rem;font-weight:600;color:var(--faint);margin:.5rem 0 .2rem}
.tool pre{max-height:30rem;overflow:auto;white-space:pre-wrap}
.hljs-keyword,.hljs-built_in,.hljs-type,.hljs-selector-tag,.hljs-meta,.hljs-doctag,.hljs-name{color:var(--accent)}
.hljs-string,.hljs-regexp,.hljs-addition,.hljs-selector-class,.hljs-title,.hljs-section{color:var(--good)}
.hljs-number,.hljs-literal,.hljs-attr,.hljs-attribute,.hljs-variable,.hljs-symbol,.hljs-bullet,.hljs-link{color:var(--warn)}
.hljs-comment,.hljs-quote{color:var(--faint);font-style:italic}.hljs-deletion{color:var(--bad)}
.hljs-emphasis{font-style:italic}.hljs-strong{font-weight:600}
@media (max-width:30rem){body{padding:1.25rem .9rem 3rem}}
@media print{:root{--paper:#fff;--well:#f6f4ef}body{max-width:none;padding:0;font-size:10.5pt}.words{font-size:11pt}
article>h2,h1,h3,h4{break-after:avoid}pre,table,blockquote,.sheet{break-inside:auto}tr,li{break-inside:avoid}
pre,[data-scroll]{overflow:visible;white-space:pre-wrap}.tool pre{max-height:none}a{color:inherit}
details:not([open])::details-content{content-visibility:visible;block-size:auto}}
`
