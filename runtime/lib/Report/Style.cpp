//===- Style.cpp - How a page looks ---------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One style sheet for light and dark screens and for paper, and the script. The
// classes comp, near, coll, move, file and rest set the colour --c of an
// activity or of partners (Okabe and Ito's colours, which colour-blind readers
// tell apart, moved towards the scheme); miss and done that of decisions. All
// else takes its colour from there. No fonts or pictures are loaded.
//
//===----------------------------------------------------------------------===//

#include "Report/View.h"

namespace zrt::report {

const char *const styleSheet = R"(
:root{color-scheme:light dark;--bg:#fbfbfa;--card:#fff;--ink:#1d2329;--soft:#5d6873;--rule:#e2e5e8;--hover:#f1f4f6;--link:#0a5ea8;
--comp:#8aa4b8;--near:#d9770b;--coll:#0b8a6b;--move:#b8458a;--file:#b39a00;--rest:#8d949b;--miss:#b3420f;--done:#2f7d4f;--mix:#fff}
@media (prefers-color-scheme:dark){:root{--bg:#14181c;--card:#1b2127;--ink:#dfe5ea;--soft:#96a3af;--rule:#2c343c;--hover:#222a31;--link:#7cbcf5;
--comp:#5b7e99;--near:#f0a048;--coll:#3fc29c;--move:#e08bbd;--file:#d9c24a;--rest:#7e8993;--miss:#f08a5a;--done:#6cc48e;--mix:#14181c}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:56px}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
header,main,nav{max-width:1180px;margin:0 auto;padding:0 28px}
header{padding-top:34px}
h1{font-size:34px;line-height:1.15;margin:0 0 6px;letter-spacing:-.01em}
h2{font-size:21px;margin:0 0 2px;letter-spacing:-.005em}
h3{font-size:13px;margin:0 0 10px;color:var(--soft);font-weight:600}
h4{font-size:12px;margin:10px 0 2px;color:var(--soft);font-weight:600}
a{color:var(--link);text-decoration:none}
a:hover{text-decoration:underline}
code,.src,.cd{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:13px}
.kicker{margin:0;color:var(--soft);font-size:13px}
.about{margin:0;color:var(--soft);font-size:13px}
.about span+span::before{content:"\00b7";margin:0 8px}
nav{position:sticky;top:0;z-index:2;display:flex;gap:20px;overflow-x:auto;padding-top:12px;padding-bottom:10px;margin-top:14px;background:var(--bg);border-bottom:1px solid var(--rule);font-size:14px;white-space:nowrap}
section{padding:28px 0 12px}
section#summary{padding-top:22px}
.note{white-space:pre-line}
.lead,.note{color:var(--soft);margin:0 0 12px;max-width:76ch}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(190px,1fr));border:1px solid var(--rule);border-radius:8px;background:var(--card)}
.tile{padding:14px 18px;border-left:1px solid var(--rule);margin-left:-1px}
.tile span,.tile small{display:block;color:var(--soft);font-size:13px}
.tile strong{display:block;font-size:27px;line-height:1.25;font-weight:600;font-variant-numeric:tabular-nums}
.cards{display:grid;align-items:start;grid-template-columns:repeat(auto-fit,minmax(min(460px,100%),1fr));gap:18px;margin-top:18px}
.card{background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:14px 18px;min-width:0}
.card ol,.card ul{margin:0;padding:0;list-style:none}
.top{display:grid;grid-template-columns:auto auto minmax(0,1fr);gap:6px 14px;align-items:baseline}
.top li{display:contents}
.top code{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.top em{min-width:46px;text-align:right;font-style:normal;font-variant-numeric:tabular-nums}
.missed li{padding:3px 0 5px}
.missed p{margin:0}
.missed em{font-style:normal;color:var(--soft);font-size:13px}
.comp{--c:var(--comp)}.near{--c:var(--near)}.coll{--c:var(--coll)}.move{--c:var(--move)}.file{--c:var(--file)}.rest{--c:var(--rest)}.miss{--c:var(--miss)}.done{--c:var(--done)}
.dot{display:inline-block;width:10px;height:10px;border-radius:3px;background:var(--c);margin:0 6px 0 0}
dd .dot{margin-left:4px}
.chip{display:inline-block;margin-left:8px;padding:0 7px;border-radius:4px;font:500 12px/18px system-ui,sans-serif;color:color-mix(in srgb,var(--c) 72%,var(--ink));background:color-mix(in srgb,var(--c) 14%,var(--mix));white-space:nowrap}
.chip{max-width:52ch;overflow:hidden;text-overflow:ellipsis;vertical-align:-4px}
.top em{text-align:left!important;white-space:nowrap}
.shares{display:flex;height:16px;margin-top:18px;border-radius:4px;overflow:hidden;background:var(--rule)}
.shares i{background:var(--c)}
.legend{display:flex;flex-wrap:wrap;gap:2px 20px;margin:8px 0;font-size:13px}
.legend em{font-style:normal;color:var(--soft);font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto}
.src{border-collapse:collapse;width:100%;background:var(--card);border:1px solid var(--rule);line-height:20px}
.src td{padding:0;vertical-align:top}
.src tr:hover{background:var(--hover)}
.src tr:target{background:color-mix(in srgb,var(--link) 14%,var(--card))}
.n{width:1px;text-align:right;user-select:none}
.src .n a{display:block;padding:0 10px 0 12px;color:var(--soft)}
.t{width:150px;min-width:150px;white-space:nowrap;border-left:2px solid transparent}
.src .t{padding-left:6px}
.t.seg{border-left-color:var(--comp)}
.t.end{background:linear-gradient(var(--comp),var(--comp)) 0 100%/7px 2px no-repeat}
.t em{font:500 12px/20px system-ui,sans-serif;font-variant-numeric:tabular-nums;color:var(--soft);padding-left:6px}
.bar{display:inline-flex;width:92px;height:10px;vertical-align:-1px}
.bar i{background:var(--c)}
.more{margin-top:14px}
.more>summary{cursor:pointer;padding:4px 0}
.c{padding-left:12px!important}
.c>code,.c summary{padding-left:14px}
.c code{white-space:pre-wrap;overflow-wrap:anywhere;tab-size:8}
.c summary{list-style:none;cursor:pointer;position:relative}
.c summary::-webkit-details-marker{display:none}
.c summary::before{content:"";position:absolute;left:1px;top:6px;border:4px solid transparent;border-left:5px solid var(--soft);border-right:0}
.c details[open]>summary::before{transform:rotate(90deg)}
.c i{font-style:normal}
.c .q{color:var(--soft);font-style:italic}
.c .s{color:var(--done)}
.c .o{color:var(--near);font-weight:700}
.facts{font:14px/1.45 system-ui,sans-serif;margin:0 16px 10px 14px;padding:0 14px 10px;border:1px solid var(--rule);border-radius:6px;background:var(--bg);max-width:96ch}
.facts ul{margin:0;padding:0;list-style:none}
.facts li{padding-left:16px;position:relative;overflow-wrap:anywhere}
.facts li::before{content:"";position:absolute;left:0;top:6px;width:8px;height:8px;border-radius:2px;background:var(--c,var(--rule))}
.facts s,.list s{text-decoration:none;color:var(--soft);font-size:12px;white-space:nowrap}
.facts s::before{content:"["}.facts s::after{content:"]"}
.graph,.time{display:block;width:100%;min-width:760px;height:auto}
svg text{fill:var(--ink);font-size:13px;font-family:inherit}
svg .cd{font-size:12px;font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
svg .ln,svg .ax{fill:var(--soft);font-size:12px;font-variant-numeric:tabular-nums}
.edge{fill:none;stroke:var(--c);stroke-opacity:.75}
.edge.open{stroke-dasharray:5 4}
.node{fill:var(--ink)}
.time path,.time rect{fill:var(--c)}
.close{margin:18px 0 8px}
.time .tick{fill:none;stroke:var(--rule)}
table.list{border-collapse:collapse;width:100%;font-size:14px}
.list td,.list th{padding:4px 14px 4px 0;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}
.list th{color:var(--soft);font-weight:600;font-size:13px}
.list td:first-child{white-space:nowrap}
.list td b:not(.dot){color:var(--c);font-weight:600}
.num,.numbers th:nth-child(n+3){text-align:right!important;font-variant-numeric:tabular-nums;white-space:nowrap}
.pass,#operations>details{border:1px solid var(--rule);border-radius:8px;background:var(--card);margin-bottom:8px;padding:0 16px}
.pass summary,#operations summary{cursor:pointer;padding:8px 0}
.pass summary span{color:var(--soft)}
.pass .list tr:last-child td{border-bottom:0}
.matrix{border-collapse:separate;border-spacing:2px;font-size:13px;font-variant-numeric:tabular-nums}
.matrix th{color:var(--soft);font-weight:500;padding:2px 8px}
.matrix td{min-width:74px;height:28px;padding:2px 8px;text-align:right;border-radius:3px;background:color-mix(in srgb,var(--near) var(--h,0%),var(--card));border:1px solid var(--rule)}
.matrix.small{border-spacing:1px}
.matrix.small td{min-width:20px;width:20px;height:16px;padding:0;border:0}
.matrix.small th{padding:0 6px;line-height:16px;font-size:11px}
dl{margin:6px 0;display:grid;grid-template-columns:150px minmax(0,76ch);gap:8px 16px}
dt{font-weight:600}dd{margin:0}
input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--rule);border-radius:6px;padding:6px 10px;width:min(360px,100%)}
.hidden{display:none}
:focus-visible{outline:2px solid var(--link);outline-offset:1px}
@media (max-width:640px){header,main,nav{padding-left:14px;padding-right:14px}dl{grid-template-columns:1fr}.t{width:70px;min-width:70px}.bar{width:24px}}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
@media print{:root{color-scheme:light;--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--rule:#ccc;--link:#000;--comp:#8aa4b8;--near:#d9770b;--coll:#0b8a6b;--move:#b8458a;--file:#b39a00;--rest:#8d949b;--miss:#b3420f;--done:#2f7d4f;--mix:#fff}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
nav,.filter{display:none}body{font-size:10pt}code,.src{font-size:8pt;line-height:12pt}
section,header,main{max-width:none;padding-left:0;padding-right:0}tr,.card,.tile,li{break-inside:avoid}
details::details-content{content-visibility:visible;display:block}}
)";

const char *const script = R"(
(function(){
function open(){var e=document.getElementById(location.hash.slice(1));if(!e)return;var d=e.querySelector('details');if(d)d.open=true;
d=e.closest('details');if(d&&!d.open){d.open=true;e.scrollIntoView()}}
addEventListener('hashchange',open);open();
var f=document.getElementById('filter');if(!f)return;f.parentNode.classList.remove('hidden');
var ps=[].slice.call(document.querySelectorAll('.pass'));
f.addEventListener('input',function(){var w=f.value.toLowerCase();
ps.forEach(function(p){var n=0;[].forEach.call(p.querySelectorAll('tr'),function(r){
var y=r.textContent.toLowerCase().indexOf(w)>=0||p.querySelector('summary').textContent.toLowerCase().indexOf(w)>=0;
r.classList.toggle('hidden',!y);if(y)n++});p.classList.toggle('hidden',!n);p.open=!!w&&n>0})});
})();
)";

} // namespace zrt::report
