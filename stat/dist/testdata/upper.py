# Writes upper.txt: quantiles of Student's t and of the normal distribution, by integrating the density numerically with
# 45 digits and solving for t. It shares no formula with package dist. Run: python3 upper.py > upper.txt (mpmath 1.3.0)
from mpmath import *
import sys, math
mp.dps=45
def c_(nu): return exp(loggamma((nu+1)/2)-loggamma(nu/2))/sqrt(nu*pi)
def tail(t,nu,c):
    # P(T>t): integrate density in s = log(u/t); smooth, single peak at s=0 side
    f=lambda s: exp(-(nu+1)/2*log1p((t*exp(s))**2/nu)+s)*t
    f0=f(mpf(0)); hi=mpf(1)/16
    while f(hi)>f0*mpf(10)**-32: hi*=2
    n=6 if hi<8 else 24
    return c*quad(f,linspace(0,hi,n+1),maxdegree=7)
def half(t,nu,c):
    f=lambda u: exp(-(nu+1)/2*log1p(u*u/nu))
    return c*quad(f,linspace(0,t,4))
def dens(t,nu,c): return c*exp(-(nu+1)/2*log1p(t*t/nu))
def upper(q,nu,guess):
    c=c_(nu); s=log(guess)
    for _ in range(60):
        t=exp(s)
        if q<0.25: 
            p=tail(t,nu,c); step=p/(t*dens(t,nu,c))*log(p/q)
        else:
            p=half(t,nu,c); step=-p/(t*dens(t,nu,c))*log(p/(mpf(1)/2-q))
        s+=step
        if abs(step)<mpf(10)**-26: break
    return exp(s)
def normal(q): return sqrt(2)*erfinv(1-2*q)
qs=[0.45,0.3,0.25,0.1,0.05,0.025,0.005,5e-4,5e-6,5e-8,5e-10,0.25+2**-20]
nus=[1,1.5,2,2.7182818,3,4,5,7.5,10,17.3,29,30.9,64,99,100.5,316.2,1000,4321.5,1e4,12345.678,1e5,1e6,31415926.5,1e8,1e9]
out=sys.stdout
out.write("# nu q t with P(T > t) = q; nu and q are the float64 nearest to the text\n")
for q in qs:
    q_=mpf(q)
    z=normal(q_)
    for nu in nus:
        n_=mpf(nu)
        g=sqrt(n_*expm1((z*(8*n_+3)/(8*n_+1))**2/n_))
        t=upper(q_,n_,g)
        out.write(f"{nu!r} {q!r} {nstr(t,20)}\n")
    out.write(f"inf {q!r} {nstr(z,20)}\n")
for q in [1e-3,1e-12,1e-50,1e-100,1e-290,0.49,0.499999]:
    z=findroot(lambda z: log(erfc(z/sqrt(2))/2)-log(mpf(q)), max(0.01,sqrt(-2*math.log(2*q))*0.95)) if q<.4 else normal(mpf(q))
    out.write(f"inf {q!r} {nstr(z,20)}\n")
