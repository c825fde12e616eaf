# Particles in corners of two or three planes at right angles: the walks of quasistatic from event to event beside implicit steps that know nothing of them. A step is
# solved by projected reactions, |r_T| <= mu*sigma, and a fixed point of the normal forces sigma, which at right angles are the components of the force.
# Usage, beside a binary: QUASISTATIC=./quasistatic python3 corners.py COUNT. It prints how far the ends and what is dissipated are apart with 100 and 400 steps.
import json,os,sys,math,subprocess,random,tempfile
import numpy as np
def interp(tab,t):
    for (a,x),(b,y) in zip(tab,tab[1:]):
        if t<=b: return np.array(x)+(np.array(y)-np.array(x))*(t-a)/(b-a)
    return np.array(tab[-1][1])
def march(tab,planes,mu,k,T,n):
    x=np.array([0.,0,0]); D=0.; k=np.array(k)
    R=[np.zeros(3) for _ in planes]
    for i in range(n):
        t=T*(i+1)/n; a=interp(tab,t); xo=x.copy()
        # unknown x: k(x-a)=sum R ; R=(normal>=0, |tangent|<=mu*normal_frozen)
        sig=[max(r@nn,0) for r,(p,nn) in zip(R,planes)]
        for outer in range(200):
            for it in range(4000):
                ch=0
                for c,(p,nn) in enumerate(planes):
                    x=a+sum(R)/k
                    rho=k.min()*0.9
                    gap=nn@(x-p); rn=max(R[c]@nn-rho*gap,0)
                    tv=(x-xo)-nn*(nn@(x-xo)); rt=(R[c]-nn*(nn@R[c]))-rho*tv
                    l=np.linalg.norm(rt); b=mu*sig[c]
                    if l>b: rt=rt*(b/l) if l>0 else rt*0
                    new=rn*nn+rt; ch=max(ch,abs(new-R[c]).max()); R[c]=new
                if ch<1e-12: break
            x=a+sum(R)/k
            F=k*(x-a)   # what obstacles bear; planes orthogonal: normal force = component, where touched
            ns=[max(F@nn,0) if nn@(x-p)<1e-9 else 0 for p,nn in planes]
            d=max(abs(a-b) for a,b in zip(ns,sig)); sig=ns
            if d<1e-10: break
        for c,(p,nn) in enumerate(planes):
            tv=(x-xo)-nn*(nn@(x-xo)); D+=mu*sig[c]*np.linalg.norm(tv)
    return x,D
os.environ['QUASISTATIC']=os.path.abspath(os.environ['QUASISTATIC']) if os.sep in os.environ.get('QUASISTATIC','') else os.environ.get('QUASISTATIC','quasistatic')
os.chdir(tempfile.mkdtemp())
for seed in range(int(sys.argv[1])):
    random.seed(100+seed)
    names=['floor','wall','end'][:2+seed%2]
    pl={'floor':([0,0,0],[0,0,1]),'wall':([0 if seed%3 else -.3,0,0],[1,0,0]),'end':([0,.4,0],[0,-1,0])}
    rows=[[0,[0,0,0]]]+[[t+1,[random.uniform(-1,1),random.uniform(-1,1),random.uniform(-1.4,.2)]] for t in range(4)]
    mu=round(random.uniform(.1,.45),3); k=[round(random.uniform(.6,1.4),2) for _ in range(3)]
    d={"name":"n","model":"energetic","until":4,"steps":"events","obstacles":{n:{"point":pl[n][0],"normal":pl[n][1]} for n in names},"friction":{"dry":{"mu":mu}},
     "particles":[{"id":"p","at":[0,0,0],"obstacles":names,"friction":"dry"}],"anchors":[{"id":"a","at":{"table":rows}}],"energies":[{"type":"tether","particle":"p","anchor":"a","stiffness":k}]}
    json.dump(d,open('ncp.json','w'))
    r=subprocess.run([os.environ.get('QUASISTATIC','quasistatic'),'run','ncp.json','--no-picture','--force','--out','ncp-out'],capture_output=True,text=True)
    s=json.load(open('ncp-out/summary.json'))
    last=open('ncp-out/trajectory.csv').read().strip().split('\n')[-1].split(','); x=np.array([float(v) for v in last[1:4]])
    cert=open('ncp-out/certificates.csv').read().strip().split('\n'); D=float(cert[-1].split(',')[cert[0].split(',').index('dissipated') if 'dissipated' in cert[0] else 2])
    planes=[(np.array(pl[n][0],float),np.array(pl[n][1],float)) for n in names]
    e=[]
    for n in (100,400):
        y,Dy=march(rows,planes,mu,k,4,n); e.append((abs(y-x).max(),abs(Dy-D)))
    print(seed,r.returncode,names,'pos off %.2e %.2e  D off %.2e %.2e of %.3g'%(e[0][0],e[1][0],e[0][1],e[1][1],D),flush=True)
