/* A model that takes its time: Python code calls it for many items. */
#ifndef MODEL_H
#define MODEL_H

/* Return the prediction for x, or NaN if x is negative. Threads may call it at the same time. */
double predict(double x);

#endif
