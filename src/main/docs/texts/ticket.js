'use strict';
// A click on the head of a column sorts: numbers begin with the largest.
for(const head of document.querySelectorAll('.sort th')){head.tabIndex=0;const sort=()=>{
const n=head.cellIndex,number=head.classList.contains('n'),was=head.ariaSort,
down=was?was==='ascending':number,body=head.closest('table').tBodies[0];
const key=row=>{const cell=row.cells[n],data=cell.querySelector('data');if(!number)return cell.textContent;
const x=data?+data.value:parseFloat(cell.textContent.replace(/,/g,''));return isNaN(x)?-Infinity:x};
for(const other of head.parentNode.cells)other.ariaSort=null;head.ariaSort=down?'descending':'ascending';
const sign=down?-1:1;
const rows=[...body.rows].map(row=>[key(row),row]);
rows.sort((a,b)=>sign*(number?(a[0]>b[0])-(a[0]<b[0]):a[0].localeCompare(b[0])));
body.append(...rows.map(pair=>pair[1]))};
head.addEventListener('click',sort);head.addEventListener('keydown',e=>{if(e.key==='Enter')sort()})}
(()=>{const pic=document.getElementById('icicle');if(!pic)return;
const W=1000,S=22,box=[...pic.querySelectorAll('a.b')].map(a=>{const s=a.firstChild;
return{a,s,d:+a.dataset.d,x:+s.getAttribute('x'),w:+s.getAttribute('width'),
name:(a.querySelector('title')||a).textContent.toLowerCase(),id:a.getAttribute('href').slice(1)}});
// The plot is as wide as the window, in pixels, so that letters keep their shape.
let at=box[0];const draw=()=>{const px=pic.clientWidth||W,k=px/at.w;let low=0;
for(const b of box){const above=b.d<=at.d,in_=above?b.x<=at.x&&b.x+b.w>=at.x+at.w-1e-6:
b.x>=at.x-1e-6&&b.x+b.w<=at.x+at.w+1e-6;
const x=above?0:(b.x-at.x)*k,w=above?px:b.w*k;b.a.style.display=in_&&w>=.7?'':'none';if(!in_)continue;
low=Math.max(low,b.d);b.s.setAttribute('x',x);b.s.setAttribute('width',Math.max(w-1,.5));
b.a.querySelector('text').style.display=w>24?'':'none'}
const h=(low+2)*S;pic.setAttribute('viewBox','0 0 '+px+' '+h);pic.setAttribute('height',h)};
const go=()=>{const id=location.hash.slice(1);at=box.find(b=>b.id===id)||box[0];
for(let e=document.getElementById(id);e;e=e.parentElement)if(e.tagName==='DETAILS')e.open=true;
document.documentElement.dataset.at=at===box[0]?'':at.id;draw()};
// A click adds a step to the browser's history, without scrolling to the list below.
pic.addEventListener('click',e=>{const a=e.target.closest('a.b');if(!a)return;e.preventDefault();
const y=scrollY;location.hash=a.getAttribute('href');scrollTo(0,y)});
addEventListener('hashchange',go);addEventListener('resize',draw);
const q=document.getElementById('search'),out=document.getElementById('found');
q.addEventListener('input',()=>{const t=q.value.trim().toLowerCase();let n=0,sum=0,end=-1;
for(const b of box){const hit=t&&b.d>=0&&b.name.includes(t);b.a.classList.toggle('dim',!!t&&!hit);
if(!hit)continue;n++;if(b.x>=end-1e-6){sum+=b.w;end=b.x+b.w}}
out.textContent=t?n+(n===1?' part':' parts')+', '+(sum/W*100).toFixed(1)+'% of all':''});
addEventListener('keydown',e=>{if(e.key==='Escape')location.hash='#where'});go()})();
